import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores

extension ExportJourney {
    /// A recorded hike with its recording and waypoints. Points with invalid coordinates are omitted, with a warning.
    init(_ hike: Hike, _ recording: Recording, waypoints: [Waypoint]) {
        self.init(kind: .recorded, id: hike.id, name: hike.name, comment: hike.comment)
        dated = hike.modifiedAt ?? (hike.areTimesKnown ? hike.endTime : nil)
        regionID = hike.regionID
        // An app's hike has no activity of its own.
        activity = recording.origin == nil ? "hiking" : recording.line.type
        document = recording.document
        documentTime = recording.document.time
        keywords = recording.document.keywords
        author = recording.document.author
        if recording.hasTimes {
            start = hike.startTime
            end = hike.endTime
        }
        var line = recording.line
        line.name = hike.name
        line.type = activity
        if !hike.comment.isEmpty { line.description = hike.comment }
        var lost = 0
        var unsound = 0
        line.segments = line.segments.map { segment in
            let isSound = segment.allSatisfy {
                $0.coordinate.isValid && $0.coordinate.altitude?.isFinite != false
            }
            if isSound { return segment }
            return segment.compactMap { point in
                guard point.coordinate.isValid else {
                    lost += 1
                    return nil
                }
                var point = point
                if point.coordinate.altitude?.isFinite == false {
                    point.coordinate.altitude = nil
                    unsound += 1
                }
                return point
            }
        }.filter { !$0.isEmpty }
        tracks = [line]
        if lost > 0 {
            warnings.append(
                "\(lost) of \(recording.line.pointCount) points have invalid coordinates and were omitted")
        }
        if unsound > 0 { warnings.append("\(unsound) points have no altitude") }
        warnings += recording.notices
        facts = JourneyFacts(hike, hasAltitudes: recording.hasElevations || recording.line.pointCount == 0)
        facts.walkedDistance = HikeStatistics.walkedDistance(of: hike, recording)
        places = Self.places(waypoints.filter(\.coordinate.isValid), recording.waypoints)
        if places.count < waypoints.count {
            warnings.append(
                "\(waypoints.count - places.count) waypoints have invalid coordinates and were omitted")
        }
    }

    /// A route with all stored data. The instructions of an unsaved one are computed on demand.
    init(_ route: any StoredRoute) {
        self.init(route.planned, line: route.line)
        cues = route.turns
    }

    /// A planned route without its instructions; its line has altitudes if known.
    private init(_ route: PlannedRoute, line: [Coordinate]) {
        self.init(kind: .planned, id: route.id, name: route.name)
        activity = route.mode.rawValue
        dated = route.modifiedAt ?? route.createdAt
        regionID = route.regionID
        let sound = line.filter(\.isValid).map { GPXPoint(coordinate: $0) }
        tracks = [GPXLine(name: route.name, type: activity, segments: sound.isEmpty ? [] : [sound])]
        if sound.count < line.count {
            warnings.append("\(line.count - sound.count) points have invalid coordinates and were omitted")
        }
        facts = JourneyFacts(distance: route.distance, estimated: route.duration)
        // Without elevation data the gain is 0 because it is unknown.
        if sound.contains(where: { $0.coordinate.altitude != nil }) || route.gain > 0 || route.loss > 0 {
            facts.gain = route.gain
            facts.loss = route.loss
        }
    }

    /// A route of which only the line is known.
    init(_ route: any TravelRoute) {
        var planned = PlannedRoute(
            id: route.id, name: route.name, mode: route.mode,
            start: route.line.first ?? Coordinate(latitude: 0, longitude: 0),
            end: route.line.last ?? Coordinate(latitude: 0, longitude: 0), coordinates: route.line,
            distance: route.distance, duration: route.duration, gain: 0, loss: 0,
            createdAt: Timestamp(milliseconds: 0))
        let points = route.line.map { TrackPoint(coordinate: $0, time: nil) }
        if let statistics = HikeStatistics(segments: [points]) {
            planned.gain = statistics.gain
            planned.loss = statistics.loss
        }
        self.init(planned, line: route.line)
        cues = route.turns
        dated = nil
    }

    /// The contents of a GPX file.
    init(_ document: GPXDocument, fallbackName: String = "") {
        self.init(kind: document.tracks.isEmpty ? (document.routes.isEmpty ? .places : .planned) : .recorded)
        let lines = document.tracks + document.routes
        let single = lines.count == 1 ? lines[0] : nil
        name = [document.name, single?.name, fallbackName].compactMap { $0 }.first { !$0.isEmpty } ?? ""
        comment = [document.description, single?.description].compactMap { $0 }.first { !$0.isEmpty } ?? ""
        author = document.author
        documentTime = document.time
        keywords = document.keywords
        self.document = document
        self.document.tracks = []
        self.document.routes = []
        self.document.waypoints = []
        warnings += document.notices
        activity = lines.lazy.compactMap(\.type).first { !$0.isEmpty }
        tracks = document.tracks
        routes = document.routes
        places = document.waypoints.map { MapPlace(point: $0) }
        computeFacts(documentTime: document.time)
    }

    /// Computes the statistics from the lines.
    mutating func computeFacts(documentTime: Timestamp?) {
        let segments = lines.flatMap { line in
            TrackPoint.segments(of: line)
        }
        guard let statistics = HikeStatistics(segments: segments) else {
            dated = documentTime ?? places.lazy.compactMap(\.point.time).max()
            return
        }
        start = statistics.startTime
        end = statistics.endTime
        dated = documentTime ?? end
        facts = JourneyFacts(statistics)
        facts.calories = lines.count == 1 ? lines[0].calories : nil
    }
}

extension JourneyFacts {
    /// The statistics stored with a hike.
    init(_ hike: Hike, hasAltitudes: Bool) {
        distance = hike.distance
        let isClimbKnown = hike.isClimbKnown && (hasAltitudes || hike.gain > 0 || hike.loss > 0)
        gain = isClimbKnown ? hike.gain : nil
        loss = isClimbKnown ? hike.loss : nil
        if hike.areTimesKnown, hike.endTime > hike.startTime || hike.walkingTime > 0 {
            walking = hike.walkingTime
            resting = hike.restingTime
        }
        averageHeartRate = hike.averageHeartRate
        maximumHeartRate = hike.maximumHeartRate
        calories = hike.calories
        method = HikeStatistics.Settings.description
    }

    /// The statistics computed from points.
    init(_ statistics: HikeStatistics) {
        distance = statistics.distance
        walkedDistance = statistics.walkedDistance
        gain = statistics.knowsClimb ? statistics.gain : nil
        loss = statistics.knowsClimb ? statistics.loss : nil
        if let start = statistics.startTime, let end = statistics.endTime, end > start {
            walking = statistics.walkingTime
            resting = statistics.restingTime
        }
        averageHeartRate = statistics.averageHeartRate
        maximumHeartRate = statistics.maximumHeartRate
        method = HikeStatistics.Settings.description
    }
}

extension MapDocument {
    /// The map document of journeys; its metadata are those of a single journey.
    init(_ journeys: [ExportJourney]) {
        self.init()
        if journeys.count == 1, let journey = journeys.first {
            name = journey.name
            description = journey.comment
            author = journey.author
            time = journey.documentTime ?? journey.start ?? journey.dated
        }
        for journey in journeys {
            let id = journey.tracks.count == 1 ? journey.id : nil
            features += journey.places.map { .place($0) }
            features += journey.tracks.map { .line($0, .track, id: id) }
            features += journey.routes.map { .line($0, .route, id: nil) }
        }
    }
}

extension ExportJourney {
    /// Waypoints of a store by time, those with the same time in the order of the recording's file; extended
    /// by the file's data.
    private static func places(_ waypoints: [Waypoint], _ file: [GPXPoint]) -> [MapPlace] {
        if file.isEmpty { return waypoints.map { MapPlace($0) } }
        // In centimetres.
        func key(_ coordinate: Coordinate) -> [Int64] {
            [coordinate.latitude, coordinate.longitude].map { Int64(($0 * 1e7).rounded()) }
        }
        var unused = Dictionary(grouping: file.indices.filter { file[$0].coordinate.isValid }) {
            key(file[$0].coordinate)
        }
        let found = waypoints.map { waypoint -> (waypoint: Waypoint, index: Int?) in
            let here = key(waypoint.coordinate)
            guard let all = unused[here], let first = all.first else { return (waypoint, nil) }
            let index = all.first { (file[$0].name ?? "") == waypoint.label } ?? first
            unused[here] = all.filter { $0 != index }
            return (waypoint, index)
        }
        return found.enumerated().sorted { one, other in
            let (left, right) = (one.element, other.element)
            return (left.waypoint.timestamp, left.index ?? .max, one.offset)
                < (right.waypoint.timestamp, right.index ?? .max, other.offset)
        }.map { MapPlace($0.element.waypoint, like: $0.element.index.map { file[$0] }) }
    }
}

extension MapPlace {
    /// A waypoint imported with a recording: values without a column in its store are from the file, values
    /// changed since are from the store.
    fileprivate init(_ waypoint: Waypoint, like file: GPXPoint?) {
        self.init(waypoint)
        guard var point = file else { return }
        let imported = GPXWaypoints.waypoint(point, id: waypoint.id)
        point.coordinate = self.point.coordinate
        if waypoint.timestamp != imported.timestamp { point.time = self.point.time }
        if waypoint.label != imported.label { point.name = self.point.name }
        if waypoint.note != imported.note { point.description = self.point.description }
        // The app, and imports of older versions, store `custom` for a type of the file's own.
        let isCustom = waypoint.rawCategory == WaypointCategory.custom.raw
        let isKept =
            waypoint.rawCategory == imported.rawCategory
            || (isCustom && WaypointCategory.known(imported.rawCategory) == nil)
        if !isKept {
            point.symbol = self.point.symbol
            point.type = self.point.type
        }
        self.point = point
    }

    /// A waypoint of a store.
    init(_ waypoint: Waypoint) {
        var point = GPXWaypoints.point(waypoint)
        if point.coordinate.altitude?.isFinite != true { point.coordinate.altitude = nil }
        self.init(point: point, id: waypoint.id, hasPhoto: waypoint.hasPhoto)
    }
}
