import Archives
import CivilTime
import Core
import Geodesy

/// Reads flight recordings (IGC, FAI technical specification): `HFDTE` has the day, each `B` record the time of day in UTC, a
/// position, whether the fix has a height, the height by air pressure and that by satellites. The latter is used where the fix has it.
enum FlightLogReader {
    /// Whether a text begins with the maker of a recorder, and has the day or a fix.
    static func isLog(_ text: String) -> Bool {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let first = lines.first?.drop(while: { $0 == "\u{FEFF}" }), first.count >= 4,
            first.first == "A",
            first.dropFirst().prefix(3).allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { return false }
        return lines.contains { $0.hasPrefix("HFDTE") || fix($0) != nil }
    }

    /// The track of a recording.
    static func document(_ source: SourceBytes, check: () throws -> Void) throws -> GPXDocument {
        try JSONSource.checkSize(source)
        var log = LogPoints()
        var day: Int?
        var last: Int64?
        let lines = try source.all().split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        for (index, bytes) in lines.enumerated() {
            if index % GPXSettings.checkInterval == 0 { try check() }
            let line = String(decoding: bytes, as: UTF8.self)
            if line.hasPrefix("HFDTE") {
                day = Self.day(line) ?? day
                last = nil
            }
            guard line.hasPrefix("B") else { continue }
            log.account.seen += 1
            guard log.account.seen <= GPXSettings.mostPoints else {
                throw ImportErrors.tooLarge("\(source.name) has more than \(GPXSettings.mostPoints) points")
            }
            guard let fix = fix(Substring(line)) else {
                log.leaveOut("records that are none", "fixes that cannot be read, left out")
                continue
            }
            // After midnight the day is the next one.
            if let last, last - fix.time > LogSettings.day / 2 { day = day.map { $0 + 1 } }
            last = fix.time
            var point = GPXPoint(coordinate: fix.position)
            point.time = day.map { Timestamp(milliseconds: Int64($0) * LogSettings.day + fix.time) }
            log.points.append(point)
            if !fix.isMeasured {
                log.doubts.add(
                    fix.position.altitude == nil
                        ? "fixes without a height"
                        : "fixes without a height by satellites: that by air pressure is used")
            }
        }
        if day == nil, !log.points.isEmpty { log.doubts.add("no day in the file: the times are unknown") }
        var document = log.document()
        for index in document.tracks.indices { document.tracks[index].type = "flying" }
        return document
    }

    /// Days since 1970 of `HFDTE060626` or `HFDTEDATE:060626,01`.
    private static func day(_ line: String) -> Int? {
        let digits = line.drop { !$0.isNumber }.prefix(6)
        guard digits.count == 6, let number = Int(digits) else { return nil }
        let short = number % 100
        let year = short + (short < LogSettings.firstShortYear ? 2000 : 1900)
        return CivilDate(year: year, month: number / 100 % 100, day: number / 10_000)?.daysSinceEpoch
    }

    /// A record `B080000 4700000N 00800000E A 00500 00550` without the blanks.
    private static func fix(_ line: Substring) -> (time: Int64, position: Coordinate, isMeasured: Bool)? {
        let text = Array(line.utf8)
        guard text.count >= 35, text[0] == UInt8(ascii: "B") else { return nil }
        func number(_ start: Int, _ count: Int) -> Int? {
            Int(String(decoding: text[start..<start + count], as: UTF8.self))
        }
        guard let clock = number(1, 6), clock / 10_000 < 24, clock / 100 % 100 < 60, clock % 100 < 60,
            clock >= 0,
            let latitude = number(7, 7), let longitude = number(15, 8), latitude >= 0, longitude >= 0,
            "NS".utf8.contains(text[14]), "EW".utf8.contains(text[23])
        else { return nil }
        // Degrees, and minutes in thousandths.
        func degrees(_ number: Int, _ isPositive: Bool) -> Double? {
            let minutes = Double(number % 100_000) / 1000
            guard minutes < 60 else { return nil }
            let angle = Double(number / 100_000) + minutes / 60
            return isPositive ? angle : -angle
        }
        let isMeasured = text[24] == UInt8(ascii: "A")
        // Recorders without a barometer write 0.
        let height = isMeasured ? number(30, 5) : number(25, 5).flatMap { $0 == 0 ? nil : $0 }
        guard
            let position = Coordinate(
                log: degrees(latitude, text[14] == UInt8(ascii: "N")),
                degrees(longitude, text[23] == UInt8(ascii: "E")), altitude: height.map(Double.init))
        else { return nil }
        let seconds = clock / 10_000 * 3600 + clock / 100 % 100 * 60 + clock % 100
        return (Int64(seconds) * 1000, position, isMeasured)
    }
}
