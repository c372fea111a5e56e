import CivilTime

extension OpeningHoursReader {
    /// `mo`, `mo-fr`, or of one weekday those of a month, as in `mo[1,-1]`; `nil` for anything else.
    static func weekdays(_ text: String) -> [OpeningHours.Weekdays]? {
        let parts = text.split(separator: "[", maxSplits: 1)
        guard let name = parts.first else { return nil }
        let ends = name.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard ends.count <= 2, let first = ends.first, let last = ends.last,
            let from = days.firstIndex(of: first), let to = days.firstIndex(of: last)
        else { return nil }
        guard parts.count == 2 else {
            return [OpeningHours.Weekdays(from: from + 1, to: to + 1, number: 0)]
        }
        guard parts[1].hasSuffix("]"), from == to else { return nil }
        var found: [OpeningHours.Weekdays] = []
        for item in parts[1].dropLast().split(separator: ",") {
            let numbers: ClosedRange<Int>
            if let one = Int(item) {
                numbers = one...one
            } else if let several = range(String(item)) {
                numbers = several
            } else {
                return nil
            }
            // The numbers that a weekday of a month can have, however long the range is.
            for number in -5...5 where number != 0 && numbers.contains(number) {
                found.append(OpeningHours.Weekdays(from: from + 1, to: to + 1, number: number))
            }
        }
        return found.isEmpty ? nil : found
    }

    private static let days = CalendarNames.weekdayPairs
}
