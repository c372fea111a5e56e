/// What a field of a developer means, as a description in the file says.
struct FITDeveloperField {
    /// What a record names the field by: the developer's index and the field's number.
    struct Key: Hashable {
        let index: UInt8
        let number: UInt8

        /// The name of a field that the file does not name.
        var name: String { "\(index)/\(number)" }
    }

    let key: Key
    let name: String
    private let base: FITBaseType
    private let scale: Double
    private let offset: Double
    /// The measurement that it stands for; `nil` for one of its own, or in another unit.
    let kind: PointSensors.Kind?

    /// The description of a message of that kind; `nil` for one without a number.
    init?(_ message: FITMessage) {
        guard let index = message.integer(0), let number = message.integer(1) else { return nil }
        key = Key(index: UInt8(truncatingIfNeeded: index), number: UInt8(truncatingIfNeeded: number))
        name = message.text(3) ?? key.name
        base = FITBaseType(UInt8(truncatingIfNeeded: message.integer(2) ?? 0x0D))
        scale = message.integer(6).map(Double.init) ?? 1
        offset = message.integer(7).map(Double.init) ?? 0
        let units = message.text(8)?.lowercased() ?? ""
        let isOfRecords = message.integer(14) == Int64(FITProfile.Message.record)
        let native = isOfRecords ? message.integer(15).flatMap { Self.natives[$0] } : nil
        kind = native.flatMap { units.isEmpty || $0.units.contains(units) ? $0.kind : nil }
    }

    /// The value in a message; `nil` if it is invalid.
    func value(_ field: FITDefinition.DeveloperField, in message: FITMessage) -> Double? {
        guard scale != 0 else { return nil }
        return message.number(.init(number: key.number, offset: field.offset, size: field.size, base: base))
            .map { $0 / scale - offset }
    }

    /// The fields of records by their numbers for which a developer can name another source, with the units that are ours.
    private static let natives: [Int64: (kind: PointSensors.Kind, units: Set<String>)] = [
        3: (.heartRate, ["bpm"]), 4: (.cadence, ["rpm"]), 5: (.distance, ["m", "meters", "metres"]),
        6: (.speed, ["m/s"]), 7: (.power, ["w", "watt", "watts"]), 13: (.temperature, ["c", "°c"]),
        73: (.speed, ["m/s"]),
    ]
}
