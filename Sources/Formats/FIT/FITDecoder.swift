import CivilTime
import Core
import Foundation

/// The definition of a message: which fields, of which type, in which byte order.
struct FITDefinition {
    struct Field {
        let number: UInt8
        let offset: Int
        let size: Int
        let base: FITBaseType
    }

    let message: UInt16
    let isBigEndian: Bool
    let fields: [Field]
    /// Bytes of a data message, including developer fields.
    let size: Int
    /// Developer fields: index of the developer, number, where they are. A description says what they mean.
    let developer: [DeveloperField]

    struct DeveloperField {
        let index: UInt8
        let number: UInt8
        let offset: Int
        let size: Int
    }
}

/// A base type of FIT.
enum FITBaseType {
    case unsigned(Int, invalid: UInt64)
    case signed(Int, invalid: UInt64)
    case float(Int)
    case text
    case bytes

    init(_ code: UInt8) {
        switch code {
        case 0x00, 0x02: self = .unsigned(1, invalid: 0xFF)
        case 0x01: self = .signed(1, invalid: 0x7F)
        case 0x83: self = .signed(2, invalid: 0x7FFF)
        case 0x84: self = .unsigned(2, invalid: 0xFFFF)
        case 0x85: self = .signed(4, invalid: 0x7FFF_FFFF)
        case 0x86: self = .unsigned(4, invalid: 0xFFFF_FFFF)
        case 0x07: self = .text
        case 0x88: self = .float(4)
        case 0x89: self = .float(8)
        case 0x0A: self = .unsigned(1, invalid: 0)
        case 0x8B: self = .unsigned(2, invalid: 0)
        case 0x8C: self = .unsigned(4, invalid: 0)
        case 0x8E: self = .signed(8, invalid: 0x7FFF_FFFF_FFFF_FFFF)
        case 0x8F: self = .unsigned(8, invalid: .max)
        case 0x90: self = .unsigned(8, invalid: 0)
        default: self = .bytes
        }
    }
}

/// Iterates over the messages of a file with a valid checksum.
struct FITDecoder {
    let raw: UnsafeRawBufferPointer
    var position: Int
    let name: String
    private var definitions = [FITDefinition?](repeating: nil, count: 16)
    private var lastTimestamp: Int64?
    /// Whether the checksum says that bytes were changed: then a time far from the one before it is a fault.
    var isSuspicious = false
    /// The bytes in which nothing was understood.
    private(set) var gaps: [Range<Int>] = []

    init(raw: UnsafeRawBufferPointer, position: Int, name: String) {
        self.raw = raw
        self.position = position
        self.name = name
    }

    mutating func run(_ builder: inout FITBuilder, _ check: (Int) throws -> Void) throws {
        while position < raw.count {
            let start = position
            do {
                try message(&builder, check)
            } catch let error as RutterError
                where [FITErrors.cut.code, FITErrors.message.code].contains(error.code)
            {
                guard gaps.count < FITProfile.mostGaps, let next = next(behind: start) else { throw error }
                gaps.append(start..<next)
                position = next
            }
        }
    }

    private mutating func message(_ builder: inout FITBuilder, _ check: (Int) throws -> Void) throws {
        let header = raw[position]
        position += 1
        if header & 0x80 != 0 {
            try data(local: Int(header >> 5 & 3), offset: Int64(header & 0x1F), &builder, check)
        } else if header & 0x40 != 0 {
            try define(local: Int(header & 15), hasDeveloperFields: header & 0x20 != 0)
        } else {
            try data(local: Int(header & 15), offset: nil, &builder, check)
        }
    }

    // MARK: Behind a fault

    /// The first byte behind a fault at which several messages follow each other with possible times; `nil` if there is none.
    private func next(behind start: Int) -> Int? {
        (start + 1..<max(start + 1, raw.count)).first(where: isSound)
    }

    private func isSound(at start: Int) -> Bool {
        var probe = self
        probe.position = start
        var timed = 0
        for _ in 0..<FITProfile.leastSound {
            // The last messages may be fewer.
            guard probe.position < raw.count else { return timed > 0 }
            guard let isTimed = try? probe.probe() else { return false }
            if isTimed { timed += 1 }
        }
        return timed > 0
    }

    /// Steps over a message; throws where none is. Returns whether it has a possible time.
    private mutating func probe() throws(RutterError) -> Bool {
        let header = raw[position]
        position += 1
        let isCompressed = header & 0x80 != 0
        if !isCompressed, header & 0x40 != 0 {
            let order = raw[position..<min(position + 1, raw.count)].first
            guard header & 0x10 == 0, order == 0 else { throw unsound }
            try define(local: Int(header & 15), hasDeveloperFields: header & 0x20 != 0)
            return false
        }
        let local = Int(isCompressed ? header >> 5 & 3 : header & 15)
        guard isCompressed || header & 0x30 == 0, let definition = definitions[local] else { throw unsound }
        try need(definition.size)
        let message = FITMessage(
            bytes: UnsafeRawBufferPointer(rebasing: raw[position..<position + definition.size]),
            definition: definition)
        position += definition.size
        guard !isCompressed, definition.fields.contains(where: { $0.number == FITProfile.timestampField })
        else { return false }
        guard let time = message.integer(FITProfile.timestampField), isPossible(time) else { throw unsound }
        lastTimestamp = time
        return true
    }

    private var unsound: RutterError { FITErrors.message("\(name): no message at byte \(position)") }

    /// Whether a time can follow the last one.
    private func isPossible(_ time: Int64) -> Bool {
        guard let last = lastTimestamp else { return time >= FITProfile.firstTimestamp }
        // A clock that counted from its start may be set.
        if last < FITProfile.firstTimestamp, time >= FITProfile.firstTimestamp { return true }
        // A field of 64 bits may hold any number.
        let (step, isTooLong) = time.subtractingReportingOverflow(last)
        return !isTooLong && step.magnitude <= UInt64(FITProfile.longestStep)
    }

    /// Whether the first time of a file is that of a clock which counts from its start.
    private func isFromStart(_ time: Int64) -> Bool {
        lastTimestamp == nil && (0...FITProfile.longestStep).contains(time)
    }

    private mutating func need(_ count: Int) throws(RutterError) {
        guard position + count <= raw.count else {
            throw FITErrors.cut(
                "\(name): the message at byte \(position) ends after the data",
                fix: "copy it from the device again")
        }
    }

    private mutating func define(local: Int, hasDeveloperFields: Bool) throws(RutterError) {
        try need(5)
        let order = raw[position + 1]
        guard order <= 1 else {
            throw FITErrors.message(
                "\(name): the definition at byte \(position) has the byte order \(order), neither 0 nor 1")
        }
        let isBig = order == 1
        let message = raw.loadUnaligned(fromByteOffset: position + 2, as: UInt16.self)
        let count = Int(raw[position + 4])
        position += 5
        try need(count * 3)
        var offset = 0
        var fields: [FITDefinition.Field] = []
        fields.reserveCapacity(count)
        for index in 0..<count {
            let start = position + index * 3
            let size = Int(raw[start + 1])
            fields.append(
                .init(number: raw[start], offset: offset, size: size, base: FITBaseType(raw[start + 2])))
            offset += size
        }
        position += count * 3
        var developer: [FITDefinition.DeveloperField] = []
        if hasDeveloperFields {
            try need(1)
            let count = Int(raw[position])
            position += 1
            try need(count * 3)
            for index in 0..<count {
                let start = position + index * 3
                let size = Int(raw[start + 1])
                developer.append(.init(index: raw[start + 2], number: raw[start], offset: offset, size: size))
                offset += size
            }
            position += count * 3
        }
        definitions[local] = FITDefinition(
            message: isBig ? UInt16(bigEndian: message) : UInt16(littleEndian: message), isBigEndian: isBig,
            fields: fields, size: offset, developer: developer)
    }

    private mutating func data(
        local: Int, offset: Int64?, _ builder: inout FITBuilder, _ check: (Int) throws -> Void
    ) throws {
        guard let definition = definitions[local] else {
            throw FITErrors.message(
                "\(name): the data at byte \(position - 1) has no definition before it (local message \(local))"
            )
        }
        try need(definition.size)
        var message = FITMessage(
            bytes: UnsafeRawBufferPointer(rebasing: raw[position..<position + definition.size]),
            definition: definition)
        position += definition.size
        if let offset, let last = lastTimestamp {
            // The five lowest bits of the time; they wrap around every 32 seconds.
            message.timestamp = last + ((offset - (last & 0x1F)) & 0x1F)
        } else if offset == nil {
            message.timestamp = message.integer(253)
            if isSuspicious, let time = message.timestamp, !isPossible(time), !isFromStart(time) {
                throw unsound
            }
        }
        if let timestamp = message.timestamp { lastTimestamp = timestamp }
        if try builder.add(message), builder.count % GPXSettings.checkInterval == 0 {
            try check(builder.count)
        }
    }
}

/// A data message.
struct FITMessage {
    let bytes: UnsafeRawBufferPointer
    let definition: FITDefinition
    /// Seconds since the epoch of FIT.
    var timestamp: Int64?

    /// The time of the message. Times that count from switching on are put before the epoch of FIT, in the years until 1989, which
    /// everything that follows takes for a clock that was not set: their differences are right.
    var time: Timestamp? {
        timestamp.map {
            FITProfile.moment($0 < FITProfile.firstTimestamp ? $0 - FITProfile.firstTimestamp : $0)
        }
    }

    func integer(_ number: UInt8) -> Int64? {
        for field in definition.fields where field.number == number { return integer(field) }
        return nil
    }

    /// A value divided by its scale, minus its offset.
    func number(_ number: UInt8, scale: Double = 1, offset: Double = 0) -> Double? {
        for field in definition.fields where field.number == number {
            return self.number(field).map { $0 / scale - offset }
        }
        return nil
    }

    func moment(_ number: UInt8) -> Timestamp? {
        integer(number).flatMap { $0 >= FITProfile.firstTimestamp ? FITProfile.moment($0) : nil }
    }

    func text(_ number: UInt8) -> String? {
        guard let field = definition.fields.first(where: { $0.number == number }), case .text = field.base
        else {
            return nil
        }
        let text = bytes[field.offset..<field.offset + field.size].prefix { $0 != 0 }
        return String(decoding: text, as: UTF8.self).nonEmpty
    }

    /// The first element of an integer field; `nil` if it is invalid.
    func integer(_ field: FITDefinition.Field) -> Int64? {
        switch field.base {
        case .unsigned(let size, let invalid):
            guard let bits = bits(field, size), bits != invalid else { return nil }
            return Int64(exactly: bits)
        case .signed(let size, let invalid):
            guard let bits = bits(field, size), bits != invalid else { return nil }
            let shift = 64 - 8 * size
            return Int64(bitPattern: bits << UInt64(shift)) >> Int64(shift)
        case .float, .text, .bytes: return nil
        }
    }

    func number(_ field: FITDefinition.Field) -> Double? {
        guard case .float(let size) = field.base else { return integer(field).map(Double.init) }
        guard let bits = bits(field, size) else { return nil }
        let value = size == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
        return value.isFinite ? value : nil
    }

    /// The elements of a field of integers, `nil` where they are invalid, or the bytes of one without a type; empty for another.
    func elements(_ number: UInt8) -> [Int64?] {
        guard let field = definition.fields.first(where: { $0.number == number }) else { return [] }
        switch field.base {
        case .bytes: return bytes[field.offset..<field.offset + field.size].map { Int64($0) }
        case .unsigned(let size, _), .signed(let size, _):
            return stride(from: 0, to: field.size - size + 1, by: size).map {
                integer(.init(number: number, offset: field.offset + $0, size: size, base: field.base))
            }
        case .float, .text: return []
        }
    }

    /// Whether a field has a value.
    func hasValue(_ field: FITDefinition.Field) -> Bool {
        switch field.base {
        case .unsigned, .signed, .float: number(field) != nil
        case .text: bytes[field.offset..<field.offset + field.size].contains { $0 != 0 }
        case .bytes: bytes[field.offset..<field.offset + field.size].contains { $0 != 0xFF }
        }
    }

    private func bits(_ field: FITDefinition.Field, _ size: Int) -> UInt64? {
        guard field.size >= size else { return nil }
        let offset = field.offset
        let isBig = definition.isBigEndian
        switch size {
        case 1: return UInt64(bytes[offset])
        case 2:
            let value = bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
            return UInt64(isBig ? UInt16(bigEndian: value) : UInt16(littleEndian: value))
        case 4:
            let value = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            return UInt64(isBig ? UInt32(bigEndian: value) : UInt32(littleEndian: value))
        default:
            let value = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            return isBig ? UInt64(bigEndian: value) : UInt64(littleEndian: value)
        }
    }
}
