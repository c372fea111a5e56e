import CivilTime
import Foundation
import Geodesy

/// Writes recordings as TCX version 2, elements in schema order. Points without a time are omitted, because
/// TCX requires one; unknown totals that the schema requires are written as 0.
public struct TCXWriter {
    private var out = XMLOutput()
    private var written = 0

    /// The file of lines; `check` is called with the number of points written.
    public static func bytes(_ lines: [GPXLine], check: (Int) throws -> Void) rethrows -> [UInt8] {
        var writer = TCXWriter()
        try writer.write(lines, check)
        return writer.out.bytes
    }

    /// The value of `Sport`: the schema has three.
    public static func sport(_ type: String?) -> String {
        switch type?.lowercased() {
        case "running": "Running"
        case "cycling", "biking": "Biking"
        default: "Other"
        }
    }

    private mutating func write(_ lines: [GPXLine], _ check: (Int) throws -> Void) rethrows {
        out.raw(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xmlns:x="http://www.garmin.com/xmlschemas/ActivityExtension/v2">
              <Activities>

            """)
        for line in lines { try write(line, check) }
        out.raw("  </Activities>\n</TrainingCenterDatabase>\n")
    }

    private mutating func write(_ line: GPXLine, _ check: (Int) throws -> Void) rethrows {
        let samples = Self.samples(line)
        guard let start = samples.first?.first?.time else { return }
        out.markup("    <Activity Sport=\"\(Self.sport(line.type))\">\n")
        element("Id", ISO8601.text(start), "      ")
        let laps = Self.laps(line, start, end: samples.last?.last?.time ?? start)
        for (index, lap) in laps.enumerated() {
            let begin = index == 0 ? nil : lap.start
            let end = index + 1 < laps.count ? laps[index + 1].start : nil
            let tracks = samples.map { track -> [Sample] in
                // A point at the exact time of the button belongs to the track that it ends.
                let first = track.first?.time ?? start
                return track.filter { sample in
                    let isAfter = begin.map { sample.time > $0 || (sample.time == $0 && first >= $0) } ?? true
                    let isBefore = end.map { sample.time < $0 || (sample.time == $0 && first < $0) } ?? true
                    return isAfter && isBefore
                }
            }
            try write(lap, start: lap.start ?? start, tracks.filter { !$0.isEmpty }, check)
        }
        if let notes = line.description?.nonEmpty { element("Notes", notes, "      ") }
        if let device = line.deviceName {
            out.raw("      <Creator xsi:type=\"Device_t\"><Name>")
            out.text(device)
            out.raw(
                "</Name><UnitId>0</UnitId><ProductID>0</ProductID><Version><VersionMajor>0</VersionMajor>")
            out.raw("<VersionMinor>0</VersionMinor></Version></Creator>\n")
        }
        out.raw("    </Activity>\n")
    }

    private struct Sample {
        var time: Timestamp
        var coordinate: Coordinate?
        var altitude: Double?
        var sensors: PointSensors
    }

    /// The timed points of each segment, merged with the measurements without a position.
    private static func samples(_ line: GPXLine) -> [[Sample]] {
        var waiting = line.unplaced[...]
        func unplaced(_ sample: UnplacedSample) -> Sample {
            Sample(time: sample.time, coordinate: nil, altitude: sample.altitude, sensors: sample.sensors)
        }
        var tracks: [[Sample]] = line.segments.map { segment in
            var track: [Sample] = []
            for point in segment {
                guard let time = point.time else { continue }
                while let next = waiting.first, next.time < time {
                    track.append(unplaced(next))
                    waiting.removeFirst()
                }
                track.append(
                    Sample(
                        time: time, coordinate: point.coordinate, altitude: point.coordinate.altitude,
                        sensors: point.sensors))
            }
            return track
        }.filter { !$0.isEmpty }
        if !waiting.isEmpty {
            if tracks.isEmpty { tracks.append([]) }
            tracks[tracks.count - 1] += waiting.map(unplaced)
        }
        return tracks
    }

    /// The laps with a start, in order; otherwise the whole recording as one lap.
    private static func laps(_ line: GPXLine, _ start: Timestamp, end: Timestamp) -> [TrackLap] {
        let known = line.laps.filter { $0.start != nil }
        if !known.isEmpty { return known.sorted { ($0.start ?? start) < ($1.start ?? start) } }
        var lap = line.laps.first ?? TrackLap()
        lap.start = start
        lap.seconds = lap.seconds ?? line.totals?.timer ?? end.seconds(since: start)
        lap.distance = lap.distance ?? line.totals?.distance ?? line.measuredLength
        lap.calories = lap.calories ?? line.calories
        return [lap]
    }

    private mutating func write(
        _ lap: TrackLap, start: Timestamp, _ tracks: [[Sample]], _ check: (Int) throws -> Void
    ) rethrows {
        out.raw("      <Lap StartTime=\"")
        out.markup(ISO8601.text(start))
        out.raw("\">\n")
        number("TotalTimeSeconds", lap.seconds ?? lap.elapsed ?? 0)
        number("DistanceMeters", lap.distance ?? 0)
        if let speed = lap.maximumSpeed { number("MaximumSpeed", speed) }
        number("Calories", (lap.calories ?? 0).rounded())
        rate("AverageHeartRateBpm", lap.averageHeartRate, "        ", "\n")
        rate("MaximumHeartRateBpm", lap.maximumHeartRate, "        ", "\n")
        element("Intensity", lap.isRest ? "Resting" : "Active", "        ")
        if let cadence = lap.averageCadence, (0...254).contains(cadence) {
            number("Cadence", cadence.rounded())
        }
        element("TriggerMethod", Self.triggers[lap.trigger ?? ""] ?? "Manual", "        ")
        for track in tracks {
            out.raw("        <Track>\n")
            for sample in track {
                if written % GPXSettings.checkInterval == 0 { try check(written) }
                written += 1
                write(sample)
            }
            out.raw("        </Track>\n")
        }
        out.raw("      </Lap>\n")
    }

    private static let triggers = [
        "manual": "Manual", "distance": "Distance", "location": "Location", "time": "Time",
        "heartrate": "HeartRate",
    ]

    private mutating func write(_ sample: Sample) {
        out.raw("          <Trackpoint><Time>")
        out.markup(ISO8601.text(sample.time))
        out.raw("</Time>")
        if let coordinate = sample.coordinate {
            out.raw("<Position><LatitudeDegrees>")
            out.decimal(coordinate.latitude, 9)
            out.raw("</LatitudeDegrees><LongitudeDegrees>")
            out.decimal(coordinate.longitude, 9)
            out.raw("</LongitudeDegrees></Position>")
        }
        if let altitude = sample.altitude, altitude.isFinite { value("AltitudeMeters", altitude) }
        let sensors = sample.sensors
        if let distance = sensors.distance { value("DistanceMeters", distance) }
        rate("HeartRateBpm", sensors.heartRate, "", "")
        let cadence = sensors.cadence.flatMap { (0...254).contains($0) ? $0.rounded() : nil }
        if let cadence { value("Cadence", cadence) }
        if sensors.speed != nil || sensors.power != nil {
            out.raw("<Extensions><x:TPX>")
            if let speed = sensors.speed { value("x:Speed", speed) }
            if let power = sensors.power, (0...65_535).contains(power) { value("x:Watts", power.rounded()) }
            out.raw("</x:TPX></Extensions>")
        }
        out.raw("</Trackpoint>\n")
    }

    private mutating func rate(
        _ name: StaticString, _ value: Double?, _ before: StaticString, _ after: StaticString
    ) {
        guard let value, (1...255).contains(value.rounded()) else { return }
        out.raw(before)
        out.raw("<")
        out.raw(name)
        out.raw("><Value>")
        out.decimal(value, 0)
        out.raw("</Value></")
        out.raw(name)
        out.raw(">")
        out.raw(after)
    }

    private mutating func number(_ name: StaticString, _ value: Double) {
        out.raw("        ")
        self.value(name, value)
        out.raw("\n")
    }

    private mutating func value(_ name: StaticString, _ value: Double) {
        out.raw("<")
        out.raw(name)
        out.raw(">")
        out.decimal(value, 9)
        out.raw("</")
        out.raw(name)
        out.raw(">")
    }

    private mutating func element(_ name: StaticString, _ text: String, _ indent: StaticString) {
        out.raw(indent)
        out.raw("<")
        out.raw(name)
        out.raw(">")
        out.text(text)
        out.raw("</")
        out.raw(name)
        out.raw(">\n")
    }
}
