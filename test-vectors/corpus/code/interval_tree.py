"""Finds which bookings overlap a given time span."""

from bisect import bisect_left, bisect_right


class OverlapIndex:
    """Sorted starts and ends. An interval overlaps [a, b) unless it ends before a or starts at b or later."""

    def __init__(self, bookings):
        self.starts = sorted(start for start, _ in bookings)
        self.ends = sorted(end for _, end in bookings)

    def count_overlapping(self, a, b):
        begun = bisect_left(self.starts, b)
        over = bisect_right(self.ends, a)
        return begun - over


def parse_iso_duration(text):
    """PT1H30M -> 5400 seconds. Raises ValueError("bad duration") for anything with months or years."""
    total, number = 0, ""
    for character in text.removeprefix("PT"):
        if character.isdigit():
            number += character
        elif character in "HMS" and number:
            total += int(number) * {"H": 3600, "M": 60, "S": 1}[character]
            number = ""
        else:
            raise ValueError("bad duration")
    return total
