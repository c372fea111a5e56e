import CivilTime
import Geodesy

/// The columns of a table that does not name them, by their values: two columns of degrees beside each other whose rows are a way, and
/// a time if there is one. Which of the two is the latitude shows only where the other is beyond 90°.
struct UnnamedColumns {
    let columns: PointColumns

    /// Rows from which columns show.
    private static let leastRows = 3
    /// Rows that are looked at.
    private static let mostRows = 40
    /// Decimals of degrees that are to a hundred metres, and of those without a time beside them, to a metre.
    private static let leastDecimals = 3
    private static let leastDecimalsAlone = 5
    /// The largest number that may be a course, a speed or a heart rate; heights of a whole way above it are heights.
    private static let mostOther = 360.0
    /// Degrees of the largest latitude.
    private static let mostLatitude = 90.0

    /// `nil` for lines whose values show no positions.
    init?(_ lines: [Substring]) {
        let rows = lines.lazy.map { $0.drop { $0 == "\u{FEFF}" } }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }.prefix(Self.mostRows)
        let found = [",", ";", "\t", " "].lazy.compactMap { (separator: Character) -> PointColumns? in
            let cells = rows.map { row in
                row.split(separator: separator, omittingEmptySubsequences: false).map { cell in
                    let trimmed = cell.drop { $0 == " " }
                    return trimmed.lastIndex { $0 != " " }.map { trimmed[...$0] } ?? ""
                }
            }
            return Self.columns(Array(cells), separator)
        }.first
        guard let found else { return nil }
        columns = found
    }

    private static func columns(_ rows: [[Substring]], _ separator: Character) -> PointColumns? {
        guard rows.count >= leastRows, let width = rows.first?.count, width >= 2,
            rows.allSatisfy({ $0.count == width }), let sign = separator.asciiValue
        else { return nil }
        let date = (0..<width - 1).first { place in
            rows.allSatisfy { isDate($0[place]) && isClock($0[place + 1]) }
        }
        let time = date.map { $0 + 1 } ?? (0..<width).first { place in rows.allSatisfy { isTime($0[place]) } }
        for place in 0..<width - 1 where place != time && place + 1 != time {
            let pairs = rows.compactMap { row -> (Double, Double)? in
                guard let first = degrees(row[place], time == nil),
                    let second = degrees(row[place + 1], time == nil)
                else { return nil }
                return (first, second)
            }
            guard pairs.count == rows.count else { continue }
            let isEastFirst = pairs.contains { abs($0.0) > mostLatitude }
            let places = pairs.map {
                Coordinate(latitude: isEastFirst ? $0.1 : $0.0, longitude: isEastFirst ? $0.0 : $0.1)
            }
            guard places.allSatisfy(\.isValid), isWay(places) else { continue }
            var meanings = [PointColumns.Meaning?](repeating: nil, count: width)
            meanings[place] = isEastFirst ? .longitude : .latitude
            meanings[place + 1] = isEastFirst ? .latitude : .longitude
            if let time { meanings[time] = .time }
            if let date { meanings[date] = .date }
            let height = place + 2
            if height < width, height != time, areHeights(rows.map { $0[height] }) {
                meanings[height] = .altitude
            }
            let isUnread = height < width && meanings[height] == nil && areNumbers(rows.map { $0[height] })
            return PointColumns(
                unnamed: meanings, separator: sign,
                words: words(meanings, isEastFirst) + (isUnread ? unread(height) : ""))
        }
        return nil
    }

    /// What is said of it: a guess that a header would replace.
    private static func words(_ meanings: [PointColumns.Meaning?], _ isShown: Bool) -> String {
        let names = meanings.enumerated().compactMap { place, meaning -> String? in
            let name: String? =
                switch meaning {
                case .latitude: "latitude"
                case .longitude: "longitude"
                case .altitude: "elevation"
                case .date: "date"
                case .time: "time"
                default: nil
                }
            return name.map { "column \(place + 1) as \($0)" }
        }
        let order =
            isShown
            ? "" : "; the two angles may be the other way round: a first line such as time,lat,lon decides it"
        return
            "the table does not name its columns: read by their values, \(names.joined(separator: ", "))\(order)"
    }

    /// That numbers where heights often stand were not read.
    private static func unread(_ column: Int) -> String {
        "; column \(column + 1) not read: heights or other values; a first line such as time,lat,lon,ele decides it"
    }

    /// Degrees with enough decimals to be measured.
    private static func degrees(_ cell: Substring, _ isAlone: Bool) -> Double? {
        guard let number = DecimalBytes.decimal(cell), abs(number) <= LogSettings.mostDegrees else {
            return nil
        }
        let decimals = cell.split(separator: ".").dropFirst().first?.count ?? 0
        return decimals >= (isAlone ? leastDecimalsAlone : leastDecimals) ? number : nil
    }

    /// A moment: a date with a time of day, or the time since 1970.
    private static func isTime(_ cell: Substring) -> Bool {
        let text = String(cell)
        if let number = DecimalBytes.decimal(text) { return LogSettings.epoch(number) != nil }
        return ISO8601.timestamp(text) != nil || SpreadsheetTime(text) != nil
            || RecordedTime.repaired(text) != nil
    }

    private static func isDate(_ cell: Substring) -> Bool {
        let parts = cell.split(whereSeparator: { "-/.".contains($0) })
        return parts.count == 3 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
            && parts.contains { $0.count == 4 }
    }

    private static func isClock(_ cell: Substring) -> Bool {
        let parts = cell.split(separator: ":")
        return (2...3).contains(parts.count) && parts.allSatisfy { DecimalBytes.decimal($0) != nil }
    }

    /// Whether the cells behind the angles can only be heights: small positive numbers may as well be a speed, a course, a heart
    /// rate or an accuracy.
    private static func areHeights(_ cells: [Substring]) -> Bool {
        var isOther = true
        for cell in cells where !cell.isEmpty {
            guard let number = DecimalBytes.decimal(cell) ?? DecimalBytes.withComma(cell.utf8),
                number >= PlausibleSettings.lowestElevation, number <= PlausibleSettings.highestElevation
            else { return false }
            isOther = isOther && (0...mostOther).contains(number)
        }
        return !isOther
    }

    /// Whether cells are numbers, some of them perhaps empty.
    private static func areNumbers(_ cells: [Substring]) -> Bool {
        let known = cells.filter { !$0.isEmpty }
        return !known.isEmpty
            && known.allSatisfy { (DecimalBytes.decimal($0) ?? DecimalBytes.withComma($0.utf8)) != nil }
    }

    /// Whether places follow each other as those of a way do: most steps are short, and some are steps.
    private static func isWay(_ places: [Coordinate]) -> Bool {
        let steps = zip(places, places.dropFirst()).map { $0.distance(to: $1) }.sorted()
        return steps[steps.count / 2] <= PlausibleSettings.leastStray && (steps.last ?? 0) > 0
    }
}
