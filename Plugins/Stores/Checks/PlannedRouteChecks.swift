import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit
import TrailStores

/// Checks the rules of the files of planned routes.
struct PlannedRouteChecks: StoreChecking {
    let kind = StoreKind.plannedRoutes

    /// Checks every file.
    func check(_ run: CheckRun) throws {
        let table = DocumentLayout.table(of: kind)
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: run.url.path, isDirectory: &isFolder)
        var seen: [UUID: String] = [:]
        var same: [Line: String] = [:]
        var records: [String: String] = [:]
        let files = try DocumentFiles(run.url)
        Self.others(files.others, run)
        for (index, document) in files.documents.enumerated() {
            try run.step(table)
            let add = { (kind: FindingKind, what: String) in
                run.add(
                    kind, table: table, row: Int64(index + 1), id: document.file, "\(document.file): \(what)")
            }
            let route: PlannedRoute
            do throws(JSONFault) {
                route = try PlannedRoute(json: try document.content.get())
            } catch {
                add(PlannedRouteFindings.json, error.description)
                continue
            }
            if isFolder.boolValue, document.file.lowercased() != "\(route.id.uuidString).json".lowercased() {
                add(PlannedRouteFindings.name, "its id is \(route.id.uuidString)")
            }
            if let other = seen[route.id] { add(PlannedRouteFindings.twice, "the same id as \(other)") }
            seen[route.id] = document.file
            if let record = document.tree?["cloudKitRecordID"]?.text, !record.isEmpty {
                if let other = records[record] {
                    add(
                        PlannedRouteFindings.record,
                        "its record \(record.prefix(60)) in the cloud is that of \(other)")
                }
                records[record] = document.file
            }
            if Plausibility.isBlank(route.name) { add(PlannedRouteFindings.unnamed, "it has no name") }
            if let damage = Plausibility.damage(ofName: route.name) {
                add(PlannedRouteFindings.text, "name has \(damage)")
            }
            for key in ["createdAt", "modifiedAt"] {
                guard let date = document.tree?[key]?.text, let reason = run.profile.routeDates.refusal(date)
                else { continue }
                add(
                    PlannedRouteFindings.fraction,
                    "\(key) is '\(date)', \(reason.rawValue): \(run.profile.name) skips the file")
            }
            let line = Line(name: route.name, coordinates: route.coordinates)
            if let other = same.updateValue(document.file, forKey: line), !route.coordinates.isEmpty {
                add(PlannedRouteFindings.same, "name and line are those of \(other)")
            }
            for key in repeated(document, in: run.url, isFolder: isFolder.boolValue) {
                add(PlannedRouteFindings.key, "the key `\(key)` is there twice")
            }
            CheckedRoute(route: route, now: run.now, add: add).check()
        }
    }

    /// Adds the items of the folder that are not read.
    private static func others(_ names: [String], _ run: CheckRun) {
        let table = DocumentLayout.table(of: .plannedRoutes)
        for name in names {
            if let owner = EvictedFile.owner(name) {
                run.add(
                    PlannedRouteFindings.evicted, table: table, id: owner,
                    "\(owner) is not here: only the cloud has it")
            } else if !name.hasPrefix(".") {
                run.add(PlannedRouteFindings.other, table: table, id: name, "\(name) is not read")
            }
        }
    }

    private func repeated(_ document: DocumentFiles.Document, in url: URL, isFolder: Bool) -> [String] {
        let file = isFolder ? url.appendingPathComponent(document.file) : url
        // A file that was read a moment ago.
        let found = FileManager.default.contents(atPath: file.path).map(RepeatedKeys.find) ?? []
        return found.filter { $0.position == document.position }.map(\.key)
    }

    private struct Line: Hashable {
        let name: String
        let coordinates: [Coordinate]
    }
}

/// One route under check.
private struct CheckedRoute {
    let route: PlannedRoute
    let now: Timestamp?
    let add: (FindingKind, String) -> Void

    func check() {
        let figures = [
            ("totalDistance", route.distance), ("estimatedDuration", route.duration),
            ("elevationGain", route.gain),
            ("elevationLoss", route.loss),
        ]
        for (name, number) in figures where !(number.isFinite && number >= 0) {
            add(PlannedRouteFindings.number, "\(name) is \(Literal.number(number))")
        }
        for (key, date) in [("createdAt", route.createdAt), ("modifiedAt", route.modifiedAt)] {
            if let words = Plausibility.strange(date, now: now) {
                add(PlannedRouteFindings.year, "\(key) is \(words)")
            }
        }
        if let modified = route.modifiedAt,
            route.createdAt.seconds(since: modified) > CheckSettings.clockTolerance
        {
            let early = Literal.duration(route.createdAt.seconds(since: modified).rounded())
            add(PlannedRouteFindings.before, "modifiedAt is \(early) before createdAt")
        }
        if let high = route.profile?.first(where: { !CheckSettings.heights.contains($0.elevation) }) {
            add(PlannedRouteFindings.height, "a point of the profile is at \(metres(high.elevation))")
        }
        let coordinates =
            [("startCoordinate", route.start), ("endCoordinate", route.end)]
            + route.via.enumerated().map { ("viaPoints[\($0.offset)]", $0.element) }
            + route.coordinates.enumerated().map { ("coordinates[\($0.offset)]", $0.element) }
            + route.turns.enumerated().map { ("turnInstructions[\($0.offset)]", $0.element.coordinate) }
        if let bad = coordinates.first(where: { !$0.1.isValid }) {
            return add(
                PlannedRouteFindings.place,
                "\(bad.0) is \(Literal.number(bad.1.latitude)),\(Literal.number(bad.1.longitude))")
        }
        guard route.coordinates.count >= 2, let first = route.coordinates.first,
            let last = route.coordinates.last
        else { return add(PlannedRouteFindings.empty, "\(route.coordinates.count) coordinates") }
        let points = route.coordinates.map { TrackPoint(coordinate: $0, time: nil) }
        if let leg = Plausibility.teleport(points) {
            add(PlannedRouteFindings.jump, Plausibility.words(leg, of: points.count))
        }
        let tolerance = CheckSettings.snapTolerance
        for (name, pin, end) in [("start", route.start, first), ("end", route.end, last)] {
            let gap = pin.distance(to: end)
            if gap > tolerance {
                add(PlannedRouteFindings.ends, "the \(name) is \(metres(gap)) from the line's")
            }
        }
        let length = zip(route.coordinates, route.coordinates.dropFirst()).map { $0.distance(to: $1) }.reduce(
            0, +)
        let allowed = CheckSettings.distanceTolerance + CheckSettings.distanceShare * length
        if abs(length - route.distance) > allowed {
            add(
                PlannedRouteFindings.distance,
                "totalDistance is \(metres(route.distance)), the line's \(metres(length))")
        }
        turns(allowed, length)
        profile(allowed)
        pace()
        distances(tolerance)
    }

    /// Points that belong to the line, and lie away from it.
    private func distances(_ tolerance: Double) {
        let named =
            route.via.enumerated().map {
                (PlannedRouteFindings.ends, "via point \($0.offset + 1)", $0.element)
            }
            + route.turns.enumerated().map {
                (PlannedRouteFindings.turns, "instruction \($0.offset + 1)", $0.element.coordinate)
            }
        for (kind, name, coordinate) in named {
            let gap = Self.distance(coordinate, to: route.coordinates)
            if gap > tolerance { add(kind, "\(name) is \(metres(gap)) from the line") }
        }
    }

    /// Metres from a coordinate to the nearest point of a line, measured on a plane: exact enough for a tolerance.
    private static func distance(_ point: Coordinate, to line: [Coordinate]) -> Double {
        let scale = cos(point.latitude * .pi / 180)
        func plane(_ other: Coordinate) -> (x: Double, y: Double) {
            ((other.longitude - point.longitude) * scale, other.latitude - point.latitude)
        }
        var nearest = line.map { $0.distance(to: point) }.min() ?? 0
        for (from, to) in zip(line, line.dropFirst()) {
            let (a, b) = (plane(from), plane(to))
            let (dx, dy) = (b.x - a.x, b.y - a.y)
            let length = dx * dx + dy * dy
            guard length > 0 else { continue }
            let share = max(0, min(1, -(a.x * dx + a.y * dy) / length))
            let foot = Coordinate(
                latitude: from.latitude + share * (to.latitude - from.latitude),
                longitude: from.longitude + share * (to.longitude - from.longitude))
            nearest = min(nearest, foot.distance(to: point))
        }
        return nearest
    }

    /// The speed that the duration means, and the climb that the profile has.
    private func pace() {
        if route.distance > tolerance(of: route.distance), route.duration.isFinite, route.duration >= 0 {
            let speed = route.duration > 0 ? route.distance / route.duration : .infinity
            if !CheckSettings.routeSpeeds.contains(speed) {
                add(
                    PlannedRouteFindings.number,
                    "estimatedDuration is \(Literal.duration(route.duration)) for \(metres(route.distance))")
            }
        }
        guard let heights = route.profile?.map(\.elevation), heights.count >= 2,
            heights.allSatisfy(CheckSettings.heights.contains)
        else { return }
        let steps = zip(heights, heights.dropFirst()).map { $1 - $0 }
        for (name, stated, actual) in [
            ("elevationGain", route.gain, steps.filter { $0 > 0 }.reduce(0, +)),
            ("elevationLoss", route.loss, -steps.filter { $0 < 0 }.reduce(0, +)),
        ] where stated.isFinite && stated >= 0 {
            if max(stated, actual) > CheckSettings.climbFactor * min(stated, actual)
                + CheckSettings.climbTolerance
            {
                add(
                    PlannedRouteFindings.profile,
                    "\(name) is \(metres(stated)), the profile's \(metres(actual))")
            }
        }
    }

    private func tolerance(of length: Double) -> Double {
        CheckSettings.distanceTolerance + CheckSettings.distanceShare * length
    }

    private func turns(_ allowed: Double, _ length: Double) {
        guard let first = route.turns.first, let last = route.turns.last else { return }
        if first.direction != .start || last.direction != .arrive {
            add(
                PlannedRouteFindings.turns,
                "they go from \(first.direction.rawValue) to \(last.direction.rawValue)")
        }
        if let odd = route.turns.enumerated().first(where: {
            !CheckSettings.bearings.contains($0.element.bearing)
        }) {
            add(
                PlannedRouteFindings.turns,
                "the bearing of instruction \(odd.offset + 1) is \(Literal.number(odd.element.bearing))°")
        }
        let steps = route.turns.map(\.cumulativeDistance)
        if let step = zip(steps, steps.dropFirst()).enumerated().first(where: { $0.element.1 < $0.element.0 })
        {
            add(PlannedRouteFindings.turns, "instruction \(step.offset + 2) is before the previous one")
        } else if let end = steps.last, end > route.distance + allowed {
            add(PlannedRouteFindings.turns, "the last one is at \(metres(end)) of \(metres(route.distance))")
        } else if last.direction == .arrive, last.cumulativeDistance < min(route.distance, length) - allowed {
            add(
                PlannedRouteFindings.turns,
                "the arrival is at \(metres(last.cumulativeDistance)) of \(metres(route.distance))")
        }
    }

    private func profile(_ allowed: Double) {
        guard let points = route.profile else { return }
        let steps = points.map(\.distance)
        if let step = zip(steps, steps.dropFirst()).enumerated().first(where: { $0.element.1 < $0.element.0 })
        {
            add(PlannedRouteFindings.profile, "point \(step.offset + 2) is before the previous one")
        } else if let end = steps.last, end > route.distance + allowed {
            add(
                PlannedRouteFindings.profile,
                "the last point is at \(metres(end)) of \(metres(route.distance))")
        }
    }

    private func metres(_ value: Double) -> String { Literal.quantity(.metres(value)) }
}
