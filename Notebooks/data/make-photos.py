#!/usr/bin/env python3
"""Makes photos/: drawn landscapes with EXIF data of made-up cameras. Needs Pillow and pillow-heif of PyPI."""
import os
import shutil

import pillow_heif
from PIL import Image, ImageDraw
from PIL.TiffImagePlugin import IFDRational as R

pillow_heif.register_heif_opener()
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "photos"))


def angle(degrees):
    seconds = round(abs(degrees) * 3600 * 10000)
    return (R(seconds // 36000000, 1), R(seconds % 36000000 // 600000, 1), R(seconds % 600000, 10000))


def photo(name, sky, camera, taken, offset=None, place=None):
    image = Image.new("RGB", (96, 64), sky)
    draw = ImageDraw.Draw(image)
    draw.polygon([(0, 64), (30, 24), (52, 44), (70, 18), (96, 50), (96, 64)], fill=(70, 92, 64))
    exif = Image.Exif()
    exif[0x010F], exif[0x0110] = camera
    details = exif.get_ifd(0x8769)
    details[0x9003] = taken
    if offset:
        details[0x9011] = offset
    if place:
        gps = exif.get_ifd(0x8825)
        gps[1], gps[2], gps[3], gps[4] = "N", angle(place[0]), "E", angle(place[1])
    image.save(name, quality=80, exif=exif)


field, phone = ("Sample", "Field C1"), ("Sample", "Phone P1")
# The camera's clock is 62 minutes slow; it was at the terrace at 08:37:13, and on the ridge at 09:29:04.
photo("terrace.jpg", (150, 190, 230), field, "2026:02:05 07:35:13", place=(0.502783, 0.490443))
photo("ridge.jpg", (140, 180, 225), field, "2026:02:05 08:27:04", place=(0.510726, 0.496550))
photo("lake.jpg", (120, 170, 220), field, "2026:02:05 09:48:00")
photo("train.jpg", (170, 170, 170), field, "2026:02:05 05:58:00")
photo("hut.heic", (200, 180, 150), phone, "2026:02:05 11:10:00", offset="+01:00")
shutil.copyfile("lake.jpg", "lake-copy.jpg")
