/// Parses and formats ISO 8601 timestamps. Hand-written for speed: stores hold hundreds of thousands of them.
public enum ISO8601 {
    /// A date with an optional time of day and an optional offset, as it was written.
    public struct Parts: Sendable, Hashable {
        /// The day.
        public var date: CivilDate
        /// Milliseconds since midnight; `nil` when only a date was written.
        public var millisecondsOfDay: Int?
        /// Nanoseconds after the millisecond.
        public var nanoseconds: Int32 = 0
        /// Seconds east of Greenwich; `nil` when none was written.
        public var offsetSeconds: Int?
    }

    /// Reads `2026-02-06`, `2026-02-06T08:15`, `…:30`, `…:30.123`, with `Z`, `±hh:mm`, `±hh:mm:ss` or nothing after it.
    ///
    /// A blank is accepted for the `T`. Returns `nil` for anything else and for invalid dates.
    public static func parts(_ text: some StringProtocol) -> Parts? {
        withUTF8(text) { parts(utf8: $0) }
    }

    private static func withUTF8<T>(
        _ text: some StringProtocol, _ body: (UnsafeBufferPointer<UInt8>) -> T
    ) -> T {
        if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
        return Array(text.utf8).withUnsafeBufferPointer(body)
    }

    private static func parts(utf8 bytes: UnsafeBufferPointer<UInt8>) -> Parts? {
        var reader = DigitReader(bytes)
        guard let year = reader.digits(4), reader.skip("-"), let month = reader.digits(2), reader.skip("-"),
            let day = reader.digits(2), let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        if reader.isAtEnd { return Parts(date: date) }
        guard reader.skip("T") || reader.skip(" ") || reader.skip("t"), let time = timeOfDay(&reader) else {
            return nil
        }
        var parts = Parts(date: date, millisecondsOfDay: time, nanoseconds: reader.nanoseconds)
        if reader.isAtEnd { return parts }
        guard let offset = offset(&reader), reader.isAtEnd else { return nil }
        parts.offsetSeconds = offset
        return parts
    }

    /// Parses a timestamp; without an offset it is read as UTC. `nil` if invalid.
    public static func timestamp(_ text: some StringProtocol) -> Timestamp? {
        withUTF8(text) { timestamp(utf8: $0) }
    }

    /// The same from bytes, for readers of files that hold many.
    public static func timestamp(utf8 bytes: UnsafeBufferPointer<UInt8>) -> Timestamp? {
        guard let parts = parts(utf8: bytes), let time = parts.millisecondsOfDay else { return nil }
        let seconds = parts.date.daysSinceEpoch * 86_400 - (parts.offsetSeconds ?? 0)
        return Timestamp(milliseconds: Int64(seconds) * 1000 + Int64(time))
    }

    /// Milliseconds since midnight of `08:15`, `08:15:30`, `08:15:30.123`; `nil` for anything else.
    public static func timeOfDay(_ text: some StringProtocol) -> Int? {
        withUTF8(text) { bytes in
            var reader = DigitReader(bytes)
            guard let time = timeOfDay(&reader), reader.isAtEnd else { return nil }
            return time
        }
    }

    /// The digits of fractional seconds.
    public enum Fraction: Sendable {
        /// Always three digits, as in the apps' databases.
        case always
        /// Three digits, and none when they are zero.
        case whenNeeded
        /// Never; the moment is cut to the second.
        case never
    }

    /// Formats a timestamp, by default in UTC with `Z`; with an offset as local time and `±hh:mm`, or `±hh:mm:ss` where the offset has
    /// seconds: local mean times of the nineteenth century.
    public static func text(
        _ moment: Timestamp, fraction: Fraction = .whenNeeded, offsetSeconds: Int = 0
    ) -> String {
        let local = moment.civil(offset: offsetSeconds)
        var out: [UInt8] = []
        out.reserveCapacity(29)
        append(local.date, to: &out)
        out.append(UInt8(ascii: "T"))
        appendTime(local.millisecondsOfDay, fraction: fraction, to: &out)
        if moment.nanoseconds > 0, fraction == .whenNeeded { append(moment, to: &out) }
        appendOffset(offsetSeconds, to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    /// Appends the digits after the milliseconds, which are written first even if they are zero.
    private static func append(_ moment: Timestamp, to out: inout [UInt8]) {
        if moment.milliseconds.flooredRemainder(by: 1000) == 0 { out += Array(".000".utf8) }
        var digits: [UInt8] = []
        append(UInt(moment.nanoseconds), width: 6, to: &digits)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        out += digits
    }

    /// Appends a day as `2026-02-06`.
    static func append(_ date: CivilDate, to out: inout [UInt8]) {
        if date.year < 0 { out.append(UInt8(ascii: "-")) }
        append(date.year.magnitude, width: 4, to: &out)
        out.append(UInt8(ascii: "-"))
        append(UInt(date.month), width: 2, to: &out)
        out.append(UInt8(ascii: "-"))
        append(UInt(date.day), width: 2, to: &out)
    }

    private static func timeOfDay(_ reader: inout DigitReader) -> Int? {
        guard let hour = reader.digits(2), hour < 24, reader.skip(":"), let minute = reader.digits(2),
            minute < 60
        else { return nil }
        var total = (hour * 60 + minute) * 60_000
        guard reader.skip(":") else { return total }
        guard let second = reader.digits(2), second <= 60 else { return nil }
        total += second * 1000
        if reader.skip(".") || reader.skip(",") {
            guard let milliseconds = reader.fractionInMilliseconds() else { return nil }
            total += milliseconds
        }
        return total
    }

    private static func offset(_ reader: inout DigitReader) -> Int? {
        if reader.skip("Z") || reader.skip("z") { return 0 }
        let sign = reader.skip("+") ? 1 : (reader.skip("-") ? -1 : 0)
        guard sign != 0, let hours = reader.digits(2), hours < 24 else { return nil }
        if reader.isAtEnd { return sign * hours * 3600 }
        _ = reader.skip(":")
        guard let minutes = reader.digits(2), minutes < 60 else { return nil }
        var seconds = 0
        if reader.skip(":") {
            guard let written = reader.digits(2), written < 60 else { return nil }
            seconds = written
        }
        return sign * ((hours * 60 + minutes) * 60 + seconds)
    }

    private static func appendTime(_ milliseconds: Int, fraction: Fraction, to out: inout [UInt8]) {
        append(UInt(milliseconds / 3_600_000), width: 2, to: &out)
        out.append(UInt8(ascii: ":"))
        append(UInt(milliseconds / 60_000 % 60), width: 2, to: &out)
        out.append(UInt8(ascii: ":"))
        append(UInt(milliseconds / 1000 % 60), width: 2, to: &out)
        let rest = milliseconds % 1000
        switch fraction {
        case .never: return
        case .whenNeeded where rest == 0: return
        default:
            out.append(UInt8(ascii: "."))
            append(UInt(rest), width: 3, to: &out)
        }
    }

    private static func appendOffset(_ seconds: Int, to out: inout [UInt8]) {
        if seconds == 0 {
            out.append(UInt8(ascii: "Z"))
            return
        }
        out.append(UInt8(ascii: seconds < 0 ? "-" : "+"))
        append(UInt(abs(seconds) / 3600), width: 2, to: &out)
        out.append(UInt8(ascii: ":"))
        append(UInt(abs(seconds) / 60 % 60), width: 2, to: &out)
        guard seconds % 60 != 0 else { return }
        out.append(UInt8(ascii: ":"))
        append(UInt(abs(seconds) % 60), width: 2, to: &out)
    }

    private static func append(_ value: UInt, width: Int, to out: inout [UInt8]) {
        var digits = 1
        var power: UInt = 1
        while digits < width || value / power >= 10 {
            power *= 10
            digits += 1
        }
        while power > 0 {
            out.append(UInt8(ascii: "0") + UInt8(value / power % 10))
            power /= 10
        }
    }
}

extension Int64 {
    func flooredQuotient(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    func flooredRemainder(by divisor: Int64) -> Int64 { self - flooredQuotient(by: divisor) * divisor }
}

/// Reads fixed-width numbers from bytes.
private struct DigitReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    /// Of the last fraction: nanoseconds after its milliseconds.
    private(set) var nanoseconds: Int32 = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func digits(_ count: Int) -> Int? {
        guard position + count <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[position..<position + count] {
            guard byte >= 48 && byte <= 57 else { return nil }
            value = value * 10 + Int(byte - 48)
        }
        position += count
        return value
    }

    /// Any number of digits after the point; those after the ninth are cut.
    mutating func fractionInMilliseconds() -> Int? {
        var value = 0
        var count = 0
        var rest: Int32 = 0
        while position < bytes.count, bytes[position] >= 48, bytes[position] <= 57 {
            let digit = Int32(bytes[position] - 48)
            if count < 3 { value = value * 10 + Int(digit) } else if count < 9 { rest = rest * 10 + digit }
            count += 1
            position += 1
        }
        if count == 0 { return nil }
        for _ in count..<max(3, count) { value *= 10 }
        for _ in min(9, max(3, count))..<9 { rest *= 10 }
        nanoseconds = rest
        return value
    }
}

extension ISO8601 {
    /// Whether a text of a time ends with a zone: `Z`, or an offset after the time of day.
    package static func hasZone(_ text: ArraySlice<UInt8>) -> Bool {
        guard let last = text.last else { return false }
        if last == UInt8(ascii: "Z") || last == UInt8(ascii: "z") { return true }
        guard
            let clock = text.lastIndex(where: {
                $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: "t") || $0 == 32
            })
        else {
            return false
        }
        return text[clock...].contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }
    }
}
