import CivilTime
import Foundation
import Geodesy

/// Writes a recording as a FIT activity (FIT SDK, "Activity File"): file id, records with timer events
/// between segments, laps, a session, the activity. Points without a time are omitted, because FIT requires
/// one.
public struct FITWriter {
    private var out: [UInt8] = []
    private let line: GPXLine

    /// The file of a line; `check` is called with the number of points written.
    public static func bytes(_ line: GPXLine, check: (Int) throws -> Void) rethrows -> [UInt8] {
        var writer = FITWriter(line: line)
        try writer.write(check)
        return writer.file()
    }

    private init(line: GPXLine) { self.line = line }

    /// A field: number, base type, size and limits; `nil` is encoded as the invalid value.
    private struct Field {
        let number: UInt8
        let code: UInt8
        let size: UInt8
        let limits: ClosedRange<Double>
        let invalid: UInt64

        static func unsigned(_ number: UInt8, _ size: UInt8) -> Field {
            let code: UInt8 = size == 1 ? 0x02 : size == 2 ? 0x84 : 0x86
            let invalid = UInt64.max >> UInt64(64 - 8 * Int(size))
            return Field(
                number: number, code: code, size: size, limits: 0...Double(invalid - 1), invalid: invalid)
        }

        static func signed(_ number: UInt8, _ size: UInt8) -> Field {
            let code: UInt8 = size == 1 ? 0x01 : size == 2 ? 0x83 : 0x85
            let invalid = UInt64.max >> UInt64(65 - 8 * Int(size))
            return Field(
                number: number, code: code, size: size, limits: -Double(invalid)...Double(invalid - 1),
                invalid: invalid)
        }

        static func choice(_ number: UInt8) -> Field {
            Field(number: number, code: 0x00, size: 1, limits: 0...254, invalid: 0xFF)
        }
    }

    private mutating func define(_ local: UInt8, _ message: UInt16, _ fields: [Field]) {
        out += [0x40 | local, 0, 0, UInt8(message & 0xFF), UInt8(message >> 8), UInt8(fields.count)]
        for field in fields { out += [field.number, field.size, field.code] }
    }

    private mutating func data(_ local: UInt8, _ values: [(Field, Double?)]) {
        out.append(local)
        for (field, value) in values {
            var bits = field.invalid
            if let value, value.isFinite, field.limits.contains(value.rounded()) {
                bits = UInt64(bitPattern: Int64(value.rounded()))
            }
            for index in 0..<field.size {
                out.append(UInt8(truncatingIfNeeded: bits >> UInt64(8 * Int(index))))
            }
        }
    }

    private mutating func message(_ local: UInt8, _ number: UInt16, _ values: [(Field, Double?)]) {
        define(local, number, values.map(\.0))
        data(local, values)
    }

    private static let timestamp = Field.unsigned(253, 4)

    /// Seconds since the epoch of FIT; `nil` for a time before those that are no count since the device was switched on.
    private static func seconds(_ time: Timestamp?) -> Double? {
        time.flatMap { $0 < FITProfile.earliest ? nil : ($0.seconds - Double(FITProfile.epoch)).rounded() }
    }

    // MARK: Messages

    private mutating func write(_ check: (Int) throws -> Void) rethrows {
        let times = line.segments.joined().lazy.compactMap(\.time) + line.unplaced.lazy.map(\.time)
        let start = times.min()
        let end = times.max()
        message(
            0, FITProfile.Message.fileID,
            [
                // An activity by a manufacturer without a number (255, "development").
                (.choice(0), 4), (.unsigned(1, 2), 255), (.unsigned(2, 2), 0),
                (.unsigned(4, 4), Self.seconds(start)),
            ])
        try writeRecords(check)
        for lap in line.laps.isEmpty ? [wholeLap(start, end)] : line.laps { write(lap, end: end) }
        let sport = sportNumber
        let totals = wholeLap(start, end)
        message(
            3, FITProfile.Message.session,
            [
                (Self.timestamp, Self.seconds(end)), (.unsigned(2, 4), Self.seconds(start)),
                (.choice(5), sport), (.unsigned(7, 4), totals.elapsed.map { $0 * 1000 }),
                (.unsigned(8, 4), totals.seconds.map { $0 * 1000 }),
                (.unsigned(9, 4), totals.distance.map { $0 * 100 }), (.unsigned(11, 2), line.calories),
                (.unsigned(16, 1), totals.averageHeartRate), (.unsigned(17, 1), totals.maximumHeartRate),
                (.unsigned(22, 2), line.totals?.ascent), (.unsigned(23, 2), line.totals?.descent),
                (.unsigned(25, 2), 0), (.unsigned(26, 2), Double(max(1, line.laps.count))), (.choice(0), 8),
                (.choice(1), 1),
            ])
        message(
            4, FITProfile.Message.activity,
            [
                (Self.timestamp, Self.seconds(end)), (.unsigned(0, 4), totals.seconds.map { $0 * 1000 }),
                (.unsigned(1, 2), 1), (.choice(2), 0), (.choice(3), 26), (.choice(4), 1),
            ])
    }

    /// The FIT number of the sport; 0 (generic) if it is unknown.
    private var sportNumber: Double? {
        guard let type = line.type?.lowercased() else { return 0 }
        let name = type == "biking" ? "cycling" : type.replacing(" ", with: "_")
        if let index = FITProfile.sports.firstIndex(of: name) { return Double(index) }
        return name.hasPrefix("sport_") ? Double(name.dropFirst(6)) : 0
    }

    private mutating func event(_ type: Double, _ time: Timestamp?) {
        message(
            5, FITProfile.Message.event,
            [(Self.timestamp, Self.seconds(time)), (.choice(0), 0), (.choice(1), type)])
    }

    private mutating func writeRecords(_ check: (Int) throws -> Void) rethrows {
        let all = line.segments.joined().lazy.map(\.sensors) + line.unplaced.lazy.map(\.sensors)
        func has(_ kind: PointSensors.Kind) -> Bool { all.contains { $0[kind] != nil } }
        let heights =
            line.segments.joined().lazy.compactMap(\.coordinate.altitude)
            + line.unplaced.lazy.compactMap(\.altitude)
        var columns: [(Field, (Sample) -> Double?)] = [
            (Self.timestamp, { Self.seconds($0.time) }),
            (.signed(0, 4), { $0.coordinate.map { Self.semicircles($0.latitude) } }),
            (.signed(1, 4), { $0.coordinate.map { Self.semicircles($0.longitude) } }),
        ]
        if !heights.isEmpty {
            // Two bytes cover −500 m to 12,607 m.
            let isLow = heights.allSatisfy { $0 >= -500 && $0 <= 12_606 }
            columns.append(
                (isLow ? .unsigned(2, 2) : .unsigned(78, 4), { $0.altitude.map { ($0 + 500) * 5 } }))
        }
        if has(.heartRate) { columns.append((.unsigned(3, 1), { $0.sensors.heartRate })) }
        if has(.cadence) {
            columns.append((.unsigned(4, 1), { $0.sensors.cadence.map { $0.rounded(.down) } }))
            if all.contains(where: { $0.cadence.map { $0 != $0.rounded() } == true }) {
                columns.append(
                    (.unsigned(53, 1), { $0.sensors.cadence.map { ($0 - $0.rounded(.down)) * 128 } }))
            }
        }
        if has(.distance) { columns.append((.unsigned(5, 4), { $0.sensors.distance.map { $0 * 100 } })) }
        if has(.speed) { columns.append((.unsigned(73, 4), { $0.sensors.speed.map { $0 * 1000 } })) }
        if has(.power) { columns.append((.unsigned(7, 2), { $0.sensors.power })) }
        if has(.temperature) { columns.append((.signed(13, 1), { $0.sensors.temperature })) }
        if has(.accuracy) { columns.append((.unsigned(31, 1), { $0.sensors.accuracy })) }
        define(1, FITProfile.Message.record, columns.map(\.0))
        var waiting = line.unplaced[...]
        var written = 0
        var last: Timestamp?
        func row(_ sample: Sample) -> [(Field, Double?)] { columns.map { ($0.0, $0.1(sample)) } }
        for segment in line.segments {
            var isFirst = true
            for point in segment {
                guard let time = point.time else { continue }
                if isFirst {
                    if last != nil { event(4, last) }
                    event(0, time)
                    isFirst = false
                }
                while let next = waiting.first, next.time < time {
                    data(1, row(Sample(next)))
                    waiting.removeFirst()
                }
                if written % GPXSettings.checkInterval == 0 { try check(written) }
                written += 1
                data(1, row(Sample(point)))
                last = time
            }
        }
        if last == nil, let first = waiting.first { event(0, first.time) }
        for sample in waiting { data(1, row(Sample(sample))) }
        event(4, last ?? line.unplaced.last?.time)
    }

    private struct Sample {
        let time: Timestamp?
        let coordinate: Coordinate?
        let altitude: Double?
        let sensors: PointSensors

        init(_ point: GPXPoint) {
            time = point.time
            coordinate = point.coordinate
            altitude = point.coordinate.altitude
            sensors = point.sensors
        }

        init(_ sample: UnplacedSample) {
            time = sample.time
            coordinate = nil
            altitude = sample.altitude
            sensors = sample.sensors
        }
    }

    /// The antimeridian has no value of its own: both ends of the range move by a centimetre. The greatest
    /// number means unknown, and the least is not read by all programs.
    private static func semicircles(_ degrees: Double) -> Double {
        let value = (degrees / 180 * FITProfile.semicircles).rounded()
        return max(1 - FITProfile.semicircles, min(FITProfile.semicircles - 2, value))
    }

    /// The whole recording as one lap: by the device's own totals, else by the points.
    private func wholeLap(_ start: Timestamp?, _ end: Timestamp?) -> TrackLap {
        let totals = line.totals
        var lap = TrackLap()
        lap.start = start
        let span = start.flatMap { start in end.map { $0.seconds(since: start) } }
        lap.elapsed = totals?.elapsed ?? span
        lap.seconds = totals?.timer ?? (line.segments.isEmpty ? span : line.timedSeconds)
        lap.distance = totals?.distance ?? line.measuredLength
        lap.calories = line.calories
        let placed = line.segments.joined().compactMap(\.heartRate)
        let rates = placed.isEmpty ? line.unplaced.compactMap(\.sensors.heartRate) : placed
        lap.averageHeartRate =
            totals?.averageHeartRate ?? (rates.isEmpty ? nil : rates.reduce(0, +) / Double(rates.count))
        lap.maximumHeartRate = totals?.maximumHeartRate ?? rates.max()
        return lap
    }

    private mutating func write(_ lap: TrackLap, end: Timestamp?) {
        let stop = lap.start.flatMap { start in
            (lap.elapsed ?? lap.seconds).map { start.advanced(bySeconds: $0) }
        }
        let trigger = lap.trigger.flatMap { FITProfile.lapTriggers.firstIndex(of: $0) }.map(Double.init)
        message(
            2, FITProfile.Message.lap,
            [
                (Self.timestamp, Self.seconds(stop ?? end)), (.unsigned(2, 4), Self.seconds(lap.start)),
                (.unsigned(7, 4), lap.elapsed.map { $0 * 1000 }),
                (.unsigned(8, 4), lap.seconds.map { $0 * 1000 }),
                (.unsigned(9, 4), lap.distance.map { $0 * 100 }), (.unsigned(11, 2), lap.calories),
                (.unsigned(111, 4), lap.maximumSpeed.map { $0 * 1000 }),
                (.unsigned(15, 1), lap.averageHeartRate),
                (.unsigned(16, 1), lap.maximumHeartRate), (.unsigned(17, 1), lap.averageCadence),
                (.choice(23), lap.isRest ? 1 : 0), (.choice(24), trigger), (.choice(0), 9), (.choice(1), 1),
            ])
    }

    /// Adds header and checksum to the messages.
    private func file() -> [UInt8] {
        func little(_ value: UInt32, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
        }
        // Protocol 1.0, profile 21.00.
        var bytes: [UInt8] = [14, 0x10] + little(2100, 2) + little(UInt32(out.count), 4) + Array(".FIT".utf8)
        bytes += little(UInt32(FITChecksum.of(bytes)), 2)
        bytes += out
        return bytes + little(UInt32(FITChecksum.of(bytes)), 2)
    }
}
