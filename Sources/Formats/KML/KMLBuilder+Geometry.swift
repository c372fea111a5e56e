import Archives
import CivilTime
import Core
import Foundation
import Geodesy

/// Values, coordinates and the objects that they make.
extension KMLBuilder {
    func finish(_ element: String, _ value: String) throws {
        let parent = stack.last
        switch element {
        case "name" where openOther != nil && parent == openOther?.element:
            if let place = openOther?.place { others[place].found.name(value) }
        case "name" where parent == "author":
            if mark == nil, !value.isEmpty { document.author = value }
        case "name":
            if parent == "Placemark" {
                mark?.name = value.nonEmpty
            } else if parent == "Document", document.name == nil {
                document.name = value.nonEmpty
            }
        case "description":
            if parent == "Placemark" {
                mark?.description = value.nonEmpty
            } else if parent == "Document", document.description == nil {
                document.description = value.nonEmpty
            }
        case "when":
            let time = value.isEmpty ? nil : time(value)
            // Within a track also inside of elements whose names or end tags are damaged.
            if parent == "TimeStamp" { mark?.when = time } else if isInTrack { track.times.append(time) }
        case "coord":
            count += 1
            guard count <= MapSettings.mostPoints else {
                throw KMLErrors.hostile("the file has more than \(MapSettings.mostPoints) points")
            }
            account.seen += 1
            var parts = value.split(whereSeparator: \.isWhitespace)
            if parts.count == 1, value.contains(",") {
                parts = value.split(separator: ",")
                dropped.add("positions of a track with commas for blanks, read")
            }
            let read = parts.isEmpty ? nil : TupleReader.coordinate(parts)
            if read == nil {
                dropped.add(
                    parts.isEmpty
                        ? "an empty `coord`: no position at its time" : "a `coord` that is no position")
            }
            track.coordinates.append(read)
            track.timesBefore.append(track.times.count - 1)
        case "altitudeMode" where Self.sharing.contains(parent ?? ""): sharedMode = value
        case "altitudeMode": altitudeMode = value
        case "begin", "end":
            // A span says when to show the object, not when its points were recorded.
            if parent == "TimeSpan", !value.isEmpty { mark?.span.append("\(element) \(value.prefix(40))") }
        case "value" where parent == "SimpleArrayData":
            let folded = arrayName.lowercased().filter { $0.isLetter }
            guard let kind = Self.sensors[folded] else {
                return dropped.add("data `\(arrayName.prefix(40))` was ignored")
            }
            track.sensors[kind, default: []].append(DecimalBytes.decimal(value))
        case "value", "SimpleData": mark?.data.append((dataName, value))
        default: break
        }
    }

    /// `2026`, `2026-02` and `2026-02-06` are times in KML too.
    func time(_ text: String) -> Timestamp? {
        let candidates = [text, text + "T00:00:00Z", text + "-01T00:00:00Z", text + "-01-01T00:00:00Z"]
        if let index = candidates.firstIndex(where: { ISO8601.timestamp($0) != nil }) {
            if index > 0 {
                dropped.add("a time that names a day, month or year only, taken as its beginning")
            } else if !ISO8601.hasZone(Array(text.utf8)[...]) {
                dropped.add("times without a zone, taken as UTC")
            }
            return ISO8601.timestamp(candidates[index])
        }
        if let (time, hasZone, doubt) = RecordedTime.repaired(text) {
            dropped.add(doubt)
            if !hasZone { dropped.add("times without a zone, taken as UTC") }
            return time
        }
        dropped.add("a time that is none")
        return nil
    }

    func addTuple(_ text: String) throws {
        account.seen += 1
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard let point = TupleReader.coordinate(parts),
            point.isValid || stack.contains("LineString") || stack.contains("LinearRing")
        else {
            account.leaveOut("with a coordinate that is none")
            let isSwapped = parts.count > 1 && TupleReader.coordinate([parts[1], parts[0]])?.isValid == true
            let hint = isSwapped ? ": longitude comes first; check whether they are swapped" : ""
            return dropped.add("a coordinate that is none\(hint)")
        }
        try add(point)
    }

    private func add(_ point: Coordinate) throws {
        count += 1
        if count % MapSettings.checkInterval == 0 { try check() }
        guard count <= MapSettings.mostPoints else {
            throw KMLErrors.hostile("the file has more than \(MapSettings.mostPoints) points")
        }
        mark?.points.append(point)
    }

    func finishCoordinates() throws {
        try tuples?.finish { try addTuple($0) }
        tuples = nil
    }

    /// Takes the coordinates of a geometry at its end, where what its altitudes are measured from is known.
    func finishGeometry(_ element: String) throws {
        guard let points = mark?.points else { return }
        mark?.points = []
        if element == "Point" {
            account.leaveOut("behind the first coordinate of a place", count: points.count - 1)
            // Each point of a collection is a waypoint.
            if let first = points.first, let mark {
                document.features.append(.place(self.place(mark, aboveSea([first])[0])))
            }
            return
        }
        if stack.contains("innerBoundaryIs") {
            holes += 1
            account.leaveOut("of holes in areas", count: points.count)
            return
        }
        if stack.contains("Polygon") { dropped.add("areas, of which the line around them is read") }
        mark?.isLine = true
        guard !points.isEmpty else { return }
        var line = aboveSea(points)
        if element == "LinearRing", let end = ClosedRing.end(of: line) {
            line.append(end)
            account.twice += 1
            dropped.add(ClosedRing.unclosed)
        }
        mark?.segments.append(line.map { GPXPoint(coordinate: $0) })
    }

    /// Counts an object that is no place or line; its name follows.
    func noteOther(_ element: String) {
        mark?.hasGeometry = true
        let place: Int
        if let known = others.firstIndex(where: { $0.kind == element }) {
            place = known
        } else {
            others.append((element, Examples()))
            place = others.count - 1
        }
        others[place].found.add(nil)
        openOther = (element, place)
    }

    /// Positions with their altitudes, if these are above sea level: without a mode, or clamped, KML does not use them (OGC 12-007r2,
    /// 9.20.3), and relative ones are above ground. Recorders that name no mode for a track measured them even so.
    private func aboveSea(_ points: [Coordinate], isRecorded: Bool = false) -> [Coordinate] {
        let count = points.count { $0.altitude != nil }
        let isAbsolute = (altitudeMode ?? mark?.value("altitudeMode")) == "absolute"
        guard !isAbsolute, count > 0 else { return points }
        if isRecorded, altitudeMode == nil, points.contains(where: { $0.altitude ?? 0 != 0 }) {
            dropped.add("altitudes without an `altitudeMode`, taken as above sea level", count: count)
            return points
        }
        dropped.add(
            "altitudes that are not above sea level (altitudeMode \(altitudeMode ?? "is missing")), unknown",
            count: count)
        return points.map(\.withoutAltitude)
    }

    /// Takes the positions of a track whose tags are missing.
    func finishOpenTrack() {
        if !track.coordinates.isEmpty { finishTrack() }
        track = TimedTrack()
    }

    func finishTrack() {
        defer { track = TimedTrack() }
        let times = track.times
        var known = aboveSea(track.coordinates.compactMap(\.self), isRecorded: true)[...]
        let coordinates = track.coordinates.map { $0 == nil ? nil : known.popFirst() }
        var unplaced: [UnplacedSample] = []
        var points: [GPXPoint] = []
        for (index, coordinate) in coordinates.enumerated() {
            let time = time(ofPoint: index)
            var sensors = PointSensors()
            for (kind, values) in track.sensors where values.count == coordinates.count {
                sensors[kind] = values[index]
            }
            guard let coordinate else {
                if let time {
                    unplaced.append(UnplacedSample(time: time, altitude: nil, sensors: sensors))
                } else {
                    account.leaveOut("without a position and a time")
                }
                continue
            }
            var point = GPXPoint(coordinate: coordinate, time: time)
            point.sensors = sensors
            points.append(point)
        }
        if times.count != coordinates.count, !times.isEmpty {
            dropped.add(
                "\(times.count, of: "time") for \(coordinates.count, of: "position"): those without a time of their own have none"
            )
        }
        for (kind, values) in track.sensors.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where values.count != coordinates.count {
            dropped.add(
                "\(kind.words): \(values.count, of: "value") for \(coordinates.count, of: "position"), ignored"
            )
        }
        if mark == nil { account.leaveOut("outside of any placemark", count: points.count + unplaced.count) }
        mark?.isLine = true
        mark?.unplaced += unplaced
        if !points.isEmpty { mark?.segments.append(points) }
    }

    /// The time of a position: with as many times as positions, that of the same number; otherwise the one that directly precedes it,
    /// if they alternate but for single positions that are missing.
    func time(ofPoint index: Int) -> Timestamp? {
        let times = track.times
        if times.count == track.coordinates.count { return times[index] }
        let own = track.timesBefore[index]
        let before = index > 0 ? track.timesBefore[index - 1] : -1
        if own == before + 1 { return times[own] }
        // Of the first position only the next one shows whether they alternate.
        let isAlternating = index > 0 || track.timesBefore.dropFirst().first == own + 1
        return own == before + 2 && isAlternating ? times[own] : nil
    }

    func place(_ mark: Placemark, _ coordinate: Coordinate) -> MapPlace {
        var point = GPXPoint(
            coordinate: coordinate, time: mark.when, name: mark.name, description: mark.description,
            symbol: mark.value("sym"), type: mark.value("type"),
            heartRate: mark.value("heartRate").flatMap(Double.init))
        point.comment = mark.value("cmt")
        point.link = mark.value("link")
        if mark.when == nil { ignoreTime(of: mark) }
        let own: Set = ["kind", "id", "type", "sym", "cmt", "link", "heartRate"]
        return MapPlace(
            point: point, id: mark.value("id").flatMap(UUID.init),
            properties: mark.data.filter { !own.contains($0.name) })
    }

    /// Says that the time of an object is no time of its points.
    private func ignoreTime(of mark: Placemark) {
        let time = mark.when.map { ["time \(ISO8601.text($0))"] } ?? mark.span
        guard !time.isEmpty else { return }
        let name = mark.name.map { "`\($0)`" } ?? "a placemark"
        dropped.add("\(name): its \(time.joined(separator: ", ")) was ignored: no time of a point")
    }

    /// A placemark with the coordinates of a geometry whose name is unknown: one of them is a place, more are a line.
    private func withOtherGeometry(_ mark: Placemark) -> Placemark {
        guard !mark.points.isEmpty else { return mark }
        dropped.add("coordinates in an element that is no known geometry, read as a place or line")
        var mark = mark
        let points = aboveSea(mark.points)
        mark.points = []
        mark.hasGeometry = true
        if points.count == 1 {
            document.features.append(.place(place(mark, points[0])))
        } else {
            mark.isLine = true
            mark.segments.append(points.map { GPXPoint(coordinate: $0) })
        }
        return mark
    }

    func finish(_ placemark: Placemark) throws {
        let mark = withOtherGeometry(placemark)
        let kind = mark.value("kind").flatMap(MapDocument.LineKind.init)
        guard mark.isLine || kind != nil else {
            if !mark.hasGeometry { bare.add(mark.name) }
            return
        }
        var line = GPXLine(
            name: mark.name, description: mark.description, type: mark.value("type"), segments: mark.segments)
        line.unplaced = mark.unplaced
        line.comment = mark.value("cmt")
        line.source = mark.value("src")
        line.link = mark.value("link")
        line.number = mark.value("number").flatMap(Int.init)
        if let times = mark.value("times") {
            try spread(times, over: &line.segments) { $0.time = time($1) }
        }
        if !line.segments.joined().contains(where: { $0.time != nil }) { ignoreTime(of: mark) }
        if let rates = mark.value("heartRates") {
            try spread(rates, over: &line.segments) { $0.heartRate = Double($1) }
        }
        if kind != nil {
            // Our own lines of one point are written as two that are the same: KML requires two.
            let before = line.pointCount
            line.segments = line.segments.map { $0.count == 2 && $0[0] == $0[1] ? [$0[0]] : $0 }
            account.leaveOut("written twice, as a line of one point is", count: before - line.pointCount)
        }
        if kind == .route { line.segments = [Array(line.segments.joined())] }
        document.features.append(.line(line, kind ?? .track, id: mark.value("id").flatMap(UUID.init)))
    }

    /// Assigns the words of a list, as the writer creates it, to the points; a list of another length is
    /// ignored.
    private func spread(
        _ list: String, over segments: inout [[GPXPoint]], _ set: (inout GPXPoint, String) throws -> Void
    ) throws {
        let words = list.split(separator: "|").map { $0.split(whereSeparator: \.isWhitespace) }
        guard words.map(\.count) == segments.map(\.count) else { return }
        for segment in segments.indices {
            for index in segments[segment].indices where words[segment][index] != "-" {
                try set(&segments[segment][index], String(words[segment][index]))
            }
        }
    }
}
