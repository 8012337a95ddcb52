"""Builds land.bin.zst from the coast of ocean-chart (Natural Earth 1:50 million, public domain). By hand, never in a build.

    pip install numpy scipy zstandard
    python build_land.py ../../ocean-chart/assets/land-50m.bin

The file, zstd: for each of 720 rows of a quarter degree from the south, the number of changes between water and land along the
row of cell centres from 180 W, then the columns of the changes (u16, little-endian; a row begins as water); then 360 rows of 720
cells of half a degree, the distance to the nearest land in units of 8 km (u8, at most 255; 0 on land).
"""
import pathlib, struct, sys
import numpy as np, zstandard
from scipy.spatial import cKDTree

data = open(sys.argv[1], "rb").read()
rings, at = [], 0


def number():
    global at
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value


while at < len(data):
    x = y = 0
    points = []
    for _ in range(number()):
        a, b = number(), number()
        x += a >> 1 if not a & 1 else -((a + 1) >> 1)
        y += b >> 1 if not b & 1 else -((b + 1) >> 1)
        points.append((x / 500, y / 500))
    if abs(points[-1][0] - points[0][0]) > 180:
        points += [(points[-1][0], -90.0), (points[0][0], -90.0), points[0]]
    rings.append(points)

lat = -90 + 0.125 + 0.25 * np.arange(720)
lon = -180 + 0.125 + 0.25 * np.arange(1440)
land = np.zeros((720, 1440), bool)
for ring in rings:
    p = np.array(ring)
    x0, y0, x1, y1 = p[:-1, 0], p[:-1, 1], p[1:, 0], p[1:, 1]
    for row in range(720):
        crosses = (y0 <= lat[row]) != (y1 <= lat[row])
        if not crosses.any():
            continue
        at_x = x0[crosses] + (lat[row] - y0[crosses]) / (y1[crosses] - y0[crosses]) * (x1[crosses] - x0[crosses])
        for x in at_x:
            for turn in (-360, 0, 360):
                land[row] ^= lon > x + turn if turn == 0 else np.zeros(1440, bool)
print("land share", land.mean())

out = bytearray()
for row in land:
    changes = np.flatnonzero(np.diff(np.concatenate([[False], row]).astype(int)))
    out += struct.pack("<H", len(changes)) + b"".join(struct.pack("<H", c) for c in changes)


def place(lon, lat):
    lon, lat = np.radians(lon), np.radians(lat)
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], -1)


tree = cKDTree(place(*[a[land] for a in np.meshgrid(lon, lat)]))
x, y = np.meshgrid(-180 + 0.25 + 0.5 * np.arange(720), -90 + 0.25 + 0.5 * np.arange(360))
chord, _ = tree.query(place(x, y))
km = 2 * 6371 * np.arcsin(np.clip(chord / 2, 0, 1))
coarse = land.reshape(360, 2, 720, 2).mean((1, 3)) > 0.5
km[coarse] = 0
out += np.clip(np.round(km / 8), 0, 255).astype(np.uint8).tobytes()
pathlib.Path(__file__).with_name("land.bin.zst").write_bytes(zstandard.ZstdCompressor(level=22).compress(bytes(out)))
