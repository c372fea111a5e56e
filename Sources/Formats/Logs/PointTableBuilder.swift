import CivilTime
import Core
import Foundation
import Geodesy

/// Builds points from the rows of a table.
struct PointTableBuilder {
    private let columns: PointColumns
    private let measured: [Int]
    var log = LogPoints()
    /// Whose each point is, and the number of its segment.
    private var owners: [(object: String?, segment: String?)] = []
    /// The number of the segment, where rows begin one.
    private var segment = 0
    private var angles = SwappedAngles()
    private var whole = WholeAngles()
    /// The points whose longitude was above 180°.
    private var wide: Set<Int> = []
    private let hasDecimalComma: Bool
    private var account = PointAccount()
    /// Times whose order of day and month is not known yet, with the index of their point.
    private var waiting: [(place: Int, text: String, time: SpreadsheetTime)] = []

    init(_ columns: PointColumns) {
        self.columns = columns
        measured = columns.measured
        if let words = columns.unnamedWords { log.doubts.add(words) }
        if columns.isXY { log.doubts.add("columns x and y, read as degrees of longitude and latitude") }
        hasDecimalComma = columns.separator != UInt8(ascii: ",")
    }

    private func cell(_ cells: [String], _ meaning: PointColumns.Meaning) -> String? {
        guard let place = columns.places[meaning], cells.indices.contains(place), !cells[place].isEmpty else {
            return nil
        }
        return cells[place]
    }

    /// The number of a cell, in the unit of points; one that is none is counted.
    private mutating func number(_ cells: [String], _ meaning: PointColumns.Meaning, _ words: String)
        -> Double?
    {
        guard let text = cell(cells, meaning) else { return nil }
        guard let number = decimal(text) else {
            if columns.factors[meaning] ?? 1 == 1,
                let number = RepairedNumber.withUnit(
                    text, Self.units(of: meaning), hasDecimalComma: hasDecimalComma)
            {
                return number
            }
            log.doubts.add("values of \(words) that are no number, left out")
            return nil
        }
        return number * (columns.factors[meaning] ?? 1)
    }

    /// The units that a cell of a column may name.
    private static func units(of meaning: PointColumns.Meaning) -> [String: Double] {
        switch meaning {
        case .altitude: RepairedNumber.lengths
        case .sensor(let kind): RepairedNumber.units(of: kind)
        default: [:]
        }
    }

    private func decimal(_ text: String) -> Double? {
        let text = (DecimalBytes.western(text) ?? text).replacing("\u{2212}", with: "-")
        return DecimalBytes.decimal(hasDecimalComma ? text.replacing(",", with: ".") : text)
    }

    /// Degrees of `47.1` or `47.1N`.
    private func degrees(_ text: String?, _ positive: Character, _ negative: Character) -> Double? {
        guard let text, let last = text.uppercased().last else { return nil }
        guard last == positive || last == negative else { return decimal(text.filter { $0 != "°" }) }
        return decimal(text.dropLast().trimmingCharacters(in: .whitespaces)).map {
            last == positive ? $0 : -$0
        }
    }

    /// Degrees to the north or east of a column that may count them the other way: `lon (W)`. One with a sign means the same.
    private mutating func signed(_ degrees: Double?, _ meaning: PointColumns.Meaning) -> Double? {
        guard let degrees, columns.factors[meaning] == -1 else { return degrees }
        log.doubts.add("angles of a column to the west or south, read as negative")
        return -abs(degrees)
    }

    /// Counts a row that is none.
    mutating func leaveOutRow() {
        account.seen += 1
        account.leaveOut("rows that cannot be read")
        log.doubts.add("rows that cannot be read, left out")
    }

    /// Reads a row.
    mutating func add(_ cells: [String]) {
        account.seen += 1
        if measured.contains(where: { cells.indices.contains($0) && DecimalBytes.western(cells[$0]) != nil })
        {
            log.doubts.add(DecimalBytes.foreignDigits)
        }
        guard !isWithoutFix(cells) else {
            account.leaveOut("without a fix")
            return log.doubts.add("rows without a fix, left out")
        }
        if let mark = cell(cells, .mark)?.uppercased(), mark.hasPrefix(Self.segmentMark) {
            if mark.hasPrefix(Self.segmentStart), !log.points.isEmpty { segment += 1 }
            guard cell(cells, .latitude) != nil || cell(cells, .position) != nil else {
                return account.leaveOut("marks of segments without a position")
            }
        }
        let altitude = number(cells, .altitude, "elevation")
        guard var place = position(cells) else {
            account.leaveOut("rows without a possible position")
            return log.doubts.add("rows without a possible position, left out")
        }
        place.altitude = altitude ?? place.altitude
        var point = GPXPoint(coordinate: place, name: cell(cells, .name))
        point.description = cell(cells, .note)
        // Its place in the log is that of the point.
        point.time = time(cells)
        for kind in PointSensors.Kind.allCases {
            point.sensors[kind] = number(cells, .sensor(kind), kind.words)
        }
        log.points.append(point)
        owners.append(
            (
                cell(cells, .object),
                cell(cells, .segment) ?? (columns.places[.mark] == nil ? nil : String(segment))
            ))
    }

    /// What rows that begin or end a segment are called.
    private static let segmentMark = "SEGMENT_"
    private static let segmentStart = "SEGMENT_START"

    /// Words of loggers and servers for a position that was not measured by satellites, and the 0 of NMEA 0183 and MAVLink.
    private static let unfixed: Set = [
        "0", "no fix", "nofix", "none", "invalid", "false", "void", "v", "estimated",
        "estimated (dead reckoning)",
    ]

    private func isWithoutFix(_ cells: [String]) -> Bool {
        cell(cells, .fix).map { Self.unfixed.contains($0.lowercased()) } ?? false
    }

    /// An angle with the letter of its hemisphere from another column; `nil` if they contradict each other.
    private mutating func lettered(
        _ angle: Double?, _ cells: [String], _ column: PointColumns.Meaning, _ positive: String,
        _ negative: String
    ) -> Double? {
        guard let angle, let letter = cell(cells, column)?.uppercased().prefix(1) else { return angle }
        if letter == negative { return -abs(angle) }
        guard letter == positive, angle >= 0 else {
            log.doubts.add("angles that their hemisphere contradicts or does not name")
            return nil
        }
        return angle
    }

    /// Where a row is: two decimal numbers, angles of any notation, or both angles in one cell.
    private mutating func position(_ cells: [String]) -> Coordinate? {
        guard let first = cell(cells, .latitude), let second = cell(cells, .longitude) else {
            return cell(cells, .position).flatMap(Self.pair) ?? gridPosition(cells)
        }
        if let latitude = degrees(first, "N", "S"), let longitude = degrees(second, "E", "W") {
            whole.add(latitude, longitude)
            let north = lettered(
                signed(latitude * (columns.degrees[.latitude] ?? 1), .latitude), cells, .northSouth, "N", "S")
            let east = lettered(
                signed(longitude * (columns.degrees[.longitude] ?? 1), .longitude), cells, .eastWest, "E", "W"
            )
            // Some count from 0 to 360: whether this table does, only all of it shows.
            angles.add(north, east)
            guard let east, east > LogSettings.mostDegrees, east < LogSettings.turn else {
                return Coordinate(log: north, east)
            }
            let place = Coordinate(log: north, east - LogSettings.turn)
            if place != nil { wide.insert(log.points.count) }
            return place
        }
        // Angles in degrees and minutes have their own letters or signs.
        guard var place = Self.pair("\(first); \(second)") else { return nil }
        guard
            let north = lettered(signed(place.latitude, .latitude), cells, .northSouth, "N", "S"),
            let east = lettered(signed(place.longitude, .longitude), cells, .eastWest, "E", "W")
        else { return nil }
        (place.latitude, place.longitude) = (north, east)
        return place
    }

    /// The degrees of the unit of angles that are none as they stand and whole numbers all; `nil` if only the names could tell.
    var degreesOfUnit: Double? {
        columns.degrees.values.allSatisfy { $0 == 1 } ? whole.degreesOfUnit : nil
    }

    /// Where a row is by metres of UTM.
    private func gridPosition(_ cells: [String]) -> Coordinate? {
        guard let east = cell(cells, .easting).flatMap(decimal), let zone = cell(cells, .zone),
            let north = cell(cells, .northing).flatMap(decimal),
            case .coordinate(let place, .utm)? = CoordinateText.read("\(zone) \(east) \(north)")
        else { return nil }
        return place
    }

    /// The place of a text with two angles, in parentheses or as well-known text.
    private static func pair(_ text: String) -> Coordinate? {
        let isWellKnownText = text.uppercased().contains("POINT")
        let inner = isWellKnownText ? text : text.trimmingCharacters(in: .init(charactersIn: "()[] "))
        guard case .coordinate(let place, let notation)? = CoordinateText.read(inner),
            notation == .decimal || notation == .sexagesimal
        else { return nil }
        return place
    }

    /// A track, or places.
    mutating func document() -> GPXDocument {
        settle()
        unwrap()
        angles.report(to: &log.doubts)
        if columns.degrees.values.allSatisfy({ $0 == 1 }), let words = whole.words { log.doubts.add(words) }
        let isPlaces = columns.places[.time] == nil && columns.places[.name] != nil
        let places = isPlaces ? log.points : []
        if isPlaces { log.points = [] }
        let groups = isPlaces ? [] : grouped()
        let objects = owners.compactMap(\.object)
        var others = columns.others
        if let name = columns.objectName, isRepeated(objects), isMeasured(objects) {
            others.append("\(name), whose numbers name no tracks")
        }
        var document = log.document()
        if !groups.isEmpty {
            document.tracks = groups.map { GPXLine(name: $0.name, segments: $0.segments) }
        }
        document.waypoints = places
        document.account = account
        if !others.isEmpty {
            document.notices.append("columns not read: \(others.joined(separator: ", "))")
        }
        return document
    }

    /// Refuses columns x and y that are no angles: those of an accelerometer, or of a plan in metres, jump from row to row faster
    /// than anything moves. Of rows without times nothing is known: they may be points far apart.
    func checkAxes(_ name: String) throws(RutterError) {
        guard columns.isXY else { return }
        let speeds = zip(log.points, log.points.dropFirst()).compactMap { before, after -> Double? in
            guard let start = before.time, let end = after.time, end > start else { return nil }
            let seconds = Double(end.milliseconds - start.milliseconds) / 1000
            return before.coordinate.distance(to: after.coordinate) / seconds
        }.sorted()
        guard !speeds.isEmpty, speeds[speeds.count / 2] > LogSettings.fastestAxes else { return }
        throw ImportErrors.format(
            "\(name): columns x and y are no degrees: from row to row they would move by kilometres a second",
            fix: "open it as rows; if they are positions, name the columns lat and lon")
    }

    /// Decides whether longitudes above 180° are those of a table that counts from 0 to 360°; elsewhere they are none.
    private mutating func unwrap() {
        guard !wide.isEmpty else { return }
        let isEastward = log.points.indices.allSatisfy {
            wide.contains($0) || log.points[$0].coordinate.longitude >= 0
        }
        let longitudes = log.points.map(\.coordinate.longitude)
        let isSteady = zip(longitudes, longitudes.dropFirst()).allSatisfy { before, after in
            let step = abs(after - before)
            return min(step, LogSettings.turn - step) <= LogSettings.longestStep
        }
        guard isEastward, wide.count > 1, isSteady || 2 * wide.count >= log.points.count else {
            account.leaveOut("rows without a possible position", count: wide.count)
            log.doubts.add("rows without a possible position, left out", count: wide.count)
            log.points = log.points.indices.filter { !wide.contains($0) }.map { log.points[$0] }
            owners = owners.indices.filter { !wide.contains($0) }.map { owners[$0] }
            return
        }
        log.doubts.add("longitudes from 0 to 360°, those above 180° read as west", count: wide.count)
    }

    /// The points of each object, if the table has several with several points each, in their segments; empty for one way.
    private func grouped() -> [(name: String?, segments: [[GPXPoint]])] {
        let objects = owners.compactMap(\.object)
        let isSeveral = isRepeated(objects) && !isMeasured(objects)
        let hasSegments = isRepeated(owners.compactMap(\.segment))
        guard isSeveral || hasSegments else { return [] }
        var places: [String: Int] = [:]
        var groups: [(name: String?, last: String?, segments: [[GPXPoint]])] = []
        for (owner, point) in zip(owners, log.points) {
            let name = isSeveral ? owner.object ?? "" : ""
            let segment = owner.segment
            guard let place = places[name] else {
                places[name] = groups.count
                groups.append((name.nonEmpty, segment, [[point]]))
                continue
            }
            if groups[place].last == segment || !hasSegments {
                groups[place].segments[groups[place].segments.count - 1].append(point)
            } else {
                groups[place].segments.append([point])
                groups[place].last = segment
            }
        }
        return groups.map { ($0.name, $0.segments) }
    }

    /// Whether there are several, of several points each.
    private func isRepeated(_ names: [String]) -> Bool {
        let count = Set(names).count
        return count > 1 && 2 * count <= owners.count
    }

    /// Whether what would name objects are measurements: numbers with a fraction, as of a trip meter, or the course over ground,
    /// which gpsd and receivers of ADS-B call `track`. Numbers of tracks count up from 0 or 1.
    private func isMeasured(_ names: [String]) -> Bool {
        let numbers = names.compactMap(decimal)
        guard numbers.count == names.count, let first = numbers.first else { return false }
        if numbers.contains(where: { $0 != $0.rounded() }) { return true }
        guard columns.objectName == "track", numbers.allSatisfy({ (0...LogSettings.turn).contains($0) })
        else { return false }
        return first > 1 || zip(numbers, numbers.dropFirst()).contains { $1 < $0 }
    }

    // MARK: Times

    private mutating func time(_ cells: [String]) -> Timestamp? {
        // Some tables have both in a column that is named for the date.
        guard var text = cell(cells, .time) ?? cell(cells, .date) else { return nil }
        if cell(cells, .time) != nil, let date = cell(cells, .date) { text = Self.joined(date, text) }
        text = DecimalBytes.western(text) ?? text
        if let number = decimal(text) {
            guard !Self.isRounded(text, number) else {
                log.doubts.add("times that a spreadsheet has rounded to minutes or hours, unknown")
                return nil
            }
            guard number >= LogSettings.leastEpoch else {
                log.doubts.add("times counted from a start that the file does not name, treated as unknown")
                return nil
            }
            guard let time = LogSettings.epoch(number) else {
                log.doubts.add("times that are none, left out")
                return nil
            }
            return time
        }
        if let dated = SpreadsheetTime(text) {
            waiting.append((log.points.count, text, dated))
            return nil
        }
        let plain = Self.plain(text)
        guard let time = ISO8601.timestamp(plain) else {
            guard let (time, hasZone, doubt) = RecordedTime.repaired(plain) else {
                log.doubts.add("times that are none, left out")
                return nil
            }
            log.doubts.add(doubt)
            if !hasZone { log.doubts.add(Self.withoutZone) }
            return time
        }
        if !ISO8601.hasZone(Array(plain.utf8)[...]) { log.doubts.add(Self.withoutZone) }
        return time
    }

    /// Whether a number with an exponent has too few digits for a second, as `1.783152E+09`.
    private static func isRounded(_ text: String, _ number: Double) -> Bool {
        let parts = text.uppercased().split(separator: "E")
        guard parts.count == 2, let exponent = Double(parts[1]) else { return false }
        let decimals = parts[0].split(separator: ".").dropFirst().first?.count ?? 0
        let second = LogSettings.epochUnits.first { number >= $0.least }?.perSecond ?? 1
        var step = second
        for _ in 0..<decimals { step *= 10 }
        // One digit of the last place is ten to this power, in seconds.
        var last = 1.0
        for _ in 0..<Int(min(30, max(0, exponent))) { last *= 10 }
        return last > step
    }

    private static let withoutZone = "times without a zone, taken as UTC"

    /// Reads the times whose order of day and month only the whole table shows; where it does not, they are unknown.
    private mutating func settle() {
        let shown = waiting.filter { !$0.time.isOrderDoubtful }.compactMap(\.time.order)
        let order = shown.first ?? waiting.first?.time.order
        let isMixed = shown.contains { $0 != order }
        var example: Substring?
        for (place, text, time) in waiting {
            let known: SpreadsheetTime.Order? =
                time.isOrderDoubtful ? (isMixed ? nil : order) : time.order ?? .day
            guard let known else {
                let day = text.prefix { $0 != " " }
                log.doubts.add(
                    "times unknown: dates such as \(example ?? day) may begin with the day or the month")
                example = example ?? day
                continue
            }
            guard let moment = time.moment(known) else {
                log.doubts.add("times that are none, left out")
                continue
            }
            log.points[place].time = moment.time
            if !moment.hasZone { log.doubts.add(Self.withoutZone) }
        }
        waiting = []
    }

    /// A date and a time of day; `060626`-like digits of loggers are year, month, day and hour, minute, second.
    private static func joined(_ date: String, _ time: String) -> String {
        func pairs(_ text: String) -> [Substring]? {
            guard text.count == 6, text.allSatisfy(\.isNumber) else { return nil }
            return stride(from: 0, to: 6, by: 2).map { text.dropFirst($0).prefix(2) }
        }
        let day = pairs(date).map { "20" + $0.joined(separator: "-") } ?? date
        return "\(day) \(pairs(time)?.joined(separator: ":") ?? time)"
    }

    /// `2026/06/06 08:00:00 UTC` as ISO 8601.
    private static func plain(_ text: String) -> String {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return text }
        return "\(parts[0].replacing("/", with: "-")) \(parts[1].replacing(" UTC", with: "Z"))"
    }
}
