#!/usr/bin/env python3
"""Makes fields.nc: a small file with the layout of STOFS-2D-Global fields, of an analytic wave.

zeta(t, x, y) = 0.5 cos(2 pi (t/12 - (x + 80)/4)) + 0.01 (y - 30); nodes east of 78.5 W are land; node 7 is dry at first.
Needs netCDF4. Usage: make_fields.py
"""
import os
import netCDF4
import numpy as np

NX, NY, NT = 30, 20, 6
gx, gy = np.meshgrid(np.linspace(-80.0, -78.0, NX), np.linspace(30.0, 31.0, NY))
x, y = gx.ravel(), gy.ravel()
cells = [(j * NX + i, j * NX + i + 1, (j + 1) * NX + i, (j + 1) * NX + i + 1) for j in range(NY - 1) for i in range(NX - 1)]
tri = np.array([t for a, b, c, d in cells for t in ((a, b, d), (a, d, c))], dtype="i4") + 1
with netCDF4.Dataset(os.path.join(os.path.dirname(os.path.abspath(__file__)), "fields.nc"), "w") as nc:
    for name, size in (("time", None), ("node", x.size), ("nele", len(tri)), ("nvertex", 3)):
        nc.createDimension(name, size)
    z = dict(zlib=True, complevel=2, shuffle=True)
    t = nc.createVariable("time", "f8", ("time",), chunksizes=(16,), **z)
    t.units = "seconds since 2025-12-01 00:00:00        ! NCDASE - BASE_DAT"
    for name, values in (("x", x), ("y", y), ("depth", 10.0 - 5.0 * (x + 80.0))):
        v = nc.createVariable(name, "f8", ("node",), chunksizes=(128,), **z)
        v[:] = values
    nc.createVariable("element", "i4", ("nele", "nvertex"), chunksizes=(256, 3), **z)[:] = tri
    v = nc.createVariable("zeta", "f8", ("time", "node"), chunksizes=(1, 128), fill_value=-99999.0, **z)
    v.standard_name = "sea_surface_height_above_geoid"
    v.units = "m"
    for k in range(NT):
        eta = np.round(0.5 * np.cos(2 * np.pi * (k / 12.0 - (x + 80.0) / 4.0)) + 0.01 * (y - 30.0), 4)
        eta[x > -78.5] = -99999.0
        if k < 3:
            eta[7] = -99999.0
        v[k, :] = eta
        t[k] = 86400.0 * 31 + 3600.0 * k
