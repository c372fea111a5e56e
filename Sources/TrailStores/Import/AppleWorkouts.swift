import Archives
import CivilTime
import Core
import Formats
import Foundation

/// The workouts and heart rates of `export.xml` in an export of Apple Health: the ways of workouts are files beside it, which know
/// neither what was done nor the heart rate.
enum AppleWorkouts {
    /// Whether a file that begins so is such an export.
    static func isTable(_ head: HeadText) -> Bool {
        head.start == .element("HealthData") || head.text.contains("<!DOCTYPE HealthData")
    }

    /// Bytes read at once; the document type at the start of the file is shorter.
    private static let piece = 1 << 18

    /// Reads an export. Throws `E-GPX-XML`, or the error of `check`.
    static func read(_ source: SourceBytes, into table: inout ActivityTable, check: () throws -> Void) throws
    {
        let reader = Reader()
        let parser = try XMLPushParser(path: source.name, delegate: reader)
        var offset = 0
        while offset < source.size {
            try check()
            var bytes = try source.bytes(at: offset, count: min(piece, source.size - offset))
            guard !bytes.isEmpty else { break }
            // Its document type is not needed, and none is read.
            if offset == 0 { blankDocumentType(&bytes) }
            offset += bytes.count
            do {
                try bytes.withUnsafeBytes { try parser.feed($0) }
                if offset >= source.size { try parser.finish() }
            } catch let error as RutterError where !reader.isEmpty {
                table.doubts.append("damaged: \(error.message); what stands before is read")
                break
            }
        }
        table.activities = reader.activities
        table.unrecorded = reader.unrecorded
        table.rates = reader.rates.sorted { $0.time < $1.time }
        table.impossibleRates = reader.impossible
        if reader.impossible > 0 {
            table.doubts.append("heart rates that none has or without a time, left out: \(reader.impossible)")
        }
    }

    /// Replaces the document type by blanks, so that the lines keep their numbers.
    private static func blankDocumentType(_ bytes: inout [UInt8]) {
        guard let start = bytes.firstRange(of: Array("<!DOCTYPE".utf8)),
            let end = bytes[start.upperBound...].firstRange(of: Array("]>".utf8))
        else { return }
        for index in start.lowerBound..<end.upperBound where bytes[index] != UInt8(ascii: "\n") {
            bytes[index] = UInt8(ascii: " ")
        }
    }

    /// Collects workouts and heart rates.
    private final class Reader: XMLDelegate {
        private(set) var activities: [String: ActivityTable.Activity] = [:]
        private(set) var unrecorded: [String] = []
        private(set) var rates: [(time: Timestamp, rate: Double)] = []
        private(set) var impossible = 0
        private var workout: (activity: ActivityTable.Activity, start: String, hasFile: Bool)?
        private var depth = 0
        private var workoutDepth = 0

        var isEmpty: Bool { activities.isEmpty && rates.isEmpty && unrecorded.isEmpty }

        func start(
            _ name: UnsafePointer<CChar>, in space: UnsafePointer<CChar>?, _ attributes: XMLAttributes
        ) throws {
            depth += 1
            if strcmp(name, "Record") == 0 {
                if attributes.text("type") == "HKQuantityTypeIdentifierHeartRate" { addRate(attributes) }
            } else if strcmp(name, "Workout") == 0 {
                let type = attributes.text("workoutActivityType").map(TrackActivity.workout)
                workout = (
                    ActivityTable.Activity(type: type), attributes.text("startDate") ?? "", false
                )
                workoutDepth = depth
            } else if strcmp(name, "FileReference") == 0, workout != nil, let path = attributes.text("path") {
                activities[String(path.drop { $0 == "/" })] = workout?.activity
                workout?.hasFile = true
            }
        }

        private func addRate(_ attributes: XMLAttributes) {
            guard let time = attributes.text("startDate").flatMap(AppleWorkouts.time),
                let rate = attributes.text("value").flatMap(Double.init),
                PlausibleSettings.heartRate.contains(rate)
            else {
                impossible += 1
                return
            }
            rates.append((time, rate))
        }

        func text(_ bytes: UnsafeBufferPointer<UInt8>) throws {}

        func end() throws {
            if depth == workoutDepth, let workout {
                if !workout.hasFile {
                    unrecorded.append("`\(workout.activity.type ?? "workout")` of \(workout.start)")
                }
                self.workout = nil
            }
            depth -= 1
        }
    }

    /// The moment of `2026-07-04 10:00:00 +0200`.
    private static func time(_ text: String) -> Timestamp? {
        let parts = text.split(separator: " ")
        guard parts.count == 3 else { return nil }
        return ISO8601.timestamp("\(parts[0])T\(parts[1])\(parts[2])")
    }
}
