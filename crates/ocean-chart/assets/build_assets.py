"""Builds the binary files of this folder from their public sources. Needs `fonttools`; run by hand, never in a build.

    npm pack world-atlas@2.0.2 dejavu-fonts-ttf@2.37.3        (unpack both)
    pip download --no-deps cmocean==4.0.3                     (unzip)
    python build_assets.py LAND_110M_JSON LAND_50M_JSON DEJAVU_SANS_TTF CMOCEAN_RGB_FOLDER

land-*.bin      per ring: number of points, then per point its step from the one before (the first from 0, 0) in
                longitude and latitude, in units of 1/500 degree. Numbers are LEB128, steps zigzag. Closed rings: the
                last point repeats the first but for whole turns. A ring around a pole runs once around and is closed
                along the pole by the reader.
dejavu-sans.ttf the characters of CHARACTERS only.
dejavu-sans.adv per character of the font, in ascending order: u16 code point, u16 advance in 1/2048 em.
cmocean.bin     the tables of TABLES in that order, 256 RGB bytes triples each.
"""
import json, pathlib, struct, sys
from fontTools import subset
from fontTools.ttLib import TTFont

TABLES = ["thermal", "haline", "solar", "ice", "gray", "oxy", "deep", "dense", "algae", "matter", "turbid", "speed",
          "amp", "tempo", "rain", "phase", "topo", "balance", "delta", "curl", "diff", "tarn"]
CHARACTERS = ([*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x391, 0x3A2), *range(0x3A3, 0x3AA), *range(0x3B1, 0x3CA),
               0x2009, 0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026, 0x2030, 0x2032,
               0x2033, 0x2070, *range(0x2074, 0x207A), 0x207B, *range(0x2080, 0x208A), 0x2190, 0x2191, 0x2192, 0x2193, 0x2202,
               0x2207, 0x2211, 0x2212, 0x221A, 0x2248, 0x2260, 0x2264, 0x2265, 0xFFFD])
here = pathlib.Path(__file__).parent


def land(path, name):
    topology = json.load(open(path))
    (sx, sy), (tx, ty) = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = []
    for arc in topology["arcs"]:
        x = y = 0
        points = []
        for dx, dy in arc:
            x, y = x + dx, y + dy
            points.append((x * sx + tx, y * sy + ty))
        arcs.append(points)

    def ring(indices):
        points = []
        for index in indices:
            arc = arcs[index] if index >= 0 else arcs[~index][::-1]
            points += arc if not points else arc[1:]
        return points

    def geometries(geometry):
        if geometry["type"] == "GeometryCollection":
            for member in geometry["geometries"]:
                yield from geometries(member)
        elif geometry["type"] == "Polygon":
            yield from geometry["arcs"]
        elif geometry["type"] == "MultiPolygon":
            for polygon in geometry["arcs"]:
                yield from polygon

    def number(value):
        while value > 127:
            yield value & 127 | 128
            value >>= 7
        yield value

    out = bytearray()
    for indices in geometries(topology["objects"]["land"]):
        points = ring(indices)
        assert points[0] == points[-1]
        whole = [(round(lon * 500), round(lat * 500)) for lon, lat in points]
        whole = [point for place, point in enumerate(whole) if place == 0 or point != whole[place - 1]]
        out += bytes(number(len(whole)))
        before = (0, 0)
        for point in whole:
            for step in (point[0] - before[0], point[1] - before[1]):
                out += bytes(number(step << 1 if step >= 0 else (-step << 1) - 1))
            before = point
    (here / name).write_bytes(out)


def font(path):
    options = subset.Options()
    options.layout_features = ["kern"]
    options.hinting = False
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    options.notdef_outline = True
    face = TTFont(path)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(face)
    # A fixed time of change, so that the same sources give the same bytes.
    face["head"].modified = face["head"].created
    face.recalcTimestamp = False
    face.save(here / "dejavu-sans.ttf")
    assert face["head"].unitsPerEm == 2048
    cmap, metrics = face.getBestCmap(), face["hmtx"].metrics
    (here / "dejavu-sans.adv").write_bytes(b"".join(struct.pack("<HH", code, metrics[name][0]) for code, name in sorted(cmap.items())))


def colours(folder):
    out = bytearray()
    for name in TABLES:
        rows = [[float(v) for v in line.split()] for line in open(f"{folder}/{name}-rgb.txt")]
        # Some tables have 512 rows: taken at 256 places from the first to the last.
        for place in range(256):
            row = rows[round(place * (len(rows) - 1) / 255)]
            out += bytes(min(255, max(0, round(v * 255))) for v in row)
    (here / "cmocean.bin").write_bytes(out)


if __name__ == "__main__":
    land(sys.argv[1], "land-110m.bin")
    land(sys.argv[2], "land-50m.bin")
    font(sys.argv[3])
    colours(sys.argv[4])
