import Archives
import CivilTime
import Formats
import Foundation
import Geodesy
import PluginKit

/// Makes planned routes of the lines of a file.
final class RouteIntake {
    private let run: TrackImport
    private let tracks: ImportedTracks
    private let file: SourceFile
    private var folder: PlannedRouteFolder?
    private(set) var made: [PlannedRoute] = []

    init(_ run: TrackImport, _ tracks: ImportedTracks, _ file: SourceFile) {
        (self.run, self.tracks, self.file) = (run, tracks, file)
    }

    /// Makes routes of lines; nothing is stored yet.
    func make(_ lines: [GPXLine], _ report: inout SourceReport) async throws -> RouteIntake {
        guard !lines.isEmpty, let taking = run.context.all((any RouteTaking).self).first else { return self }
        let context = run.context
        let folder = PlannedRouteFolder(try context.writableStore(.plannedRoutes))
        self.folder = folder
        if !run.options.isRepeating { try run.refreshKnownRoutes(folder) }
        for (index, line) in lines.enumerated() {
            try context.checkCancelled()
            let mode = run.options.mode ?? line.type.flatMap(TravelMode.init) ?? .hiking
            let name = try await run.name(of: line, index, of: lines.count, tracks.document, file.stem)
            var id = (lines.count == 1 ? tracks.lineID : nil) ?? context.random.uuid()
            while try folder.file(of: id) != nil { id = context.random.uuid() }
            guard
                var route = taking.route(along: line, name: name, mode: mode, id: id, now: context.clock.now)
            else {
                report.dropped.append(line.withoutWay("line \(index + 1)"))
                continue
            }
            if let other = run.knownRoutes?.first(where: {
                $0.coordinates == route.coordinates && $0.mode == route.mode && $0.profile == route.profile
            }) {
                report.result = .duplicate(of: other.name)
                report.dropped.append("line \(index + 1) is the way of \(other.name)")
                continue
            }
            if lines.count == 1, let estimate = tracks.estimate { route.duration = estimate }
            // A plan has no place for them: they are said here.
            let unkept = line.unkept(mode: run.options.mode)
            if !unkept.isEmpty {
                report.dropped.append(
                    "\(name): a planned route has no place for its \(unkept.joined(separator: ", "))")
            }
            if let heights = line.unkeptHeights { report.dropped.append("\(name): \(heights)") }
            report.warnings += (line.doubts + [line.joinedParts].compactMap { $0 }).map {
                lines.count == 1 ? $0 : "line \(index + 1): \($0)"
            }
            made.append(route)
            run.knownRoutes?.append(route)
            report.add(line)
        }
        report.names += made.map(\.name)
        report.routes = made.map { taking.object(of: $0, context) }
        report.sums.add(made)
        return self
    }

    /// Stores the routes.
    func insert() throws {
        guard let folder else { return }
        for route in made {
            do {
                try folder.save(route)
            } catch let error as RutterError {
                throw error
            } catch {
                throw CommonErrors.fileAccess(
                    "the route cannot be written: \((error as NSError).localizedDescription)")
            }
            run.undo.added(route, to: folder)
        }
        run.knownState = folder.lastChange
    }
}

extension GPXLine {
    /// That the parts of a line become one way, with straight lines between them; `nil` if they follow one another.
    fileprivate var joinedParts: String? {
        let parts = segments.filter { !$0.isEmpty }
        let gaps = zip(parts, parts.dropFirst()).compactMap { before, after in
            before.last.flatMap { last in
                after.first.map { last.coordinate.distance(to: $0.coordinate) }
            }
        }.filter { $0 > RecordingSettings.leastGapOfPlan }
        guard !gaps.isEmpty else { return nil }
        let length = Literal.inMessage(.metres(gaps.reduce(0, +).rounded()))
        return "\(parts.count) separate parts are joined by straight lines, \(length) in all: they are no way"
    }

    /// That a part of the points has a height: a profile of those would count as that of the whole.
    fileprivate var unkeptHeights: String? {
        let points = segments.joined()
        let (all, known) = (points.count, points.count { $0.coordinate.altitude != nil })
        guard known > 0, known < all else { return nil }
        return "\(known) of \(all) points have a height; a planned route has all heights or none"
    }

    /// The fields, in the words of GPX, that a planned route does not keep.
    fileprivate func unkept(mode: TravelMode?) -> [String] {
        var names: [String] = []
        if comment != nil { names.append("comment") }
        if description != nil { names.append("description") }
        if source != nil { names.append("source") }
        if !links.isEmpty { names.append("link") }
        if number != nil { names.append("number") }
        if let type, mode == nil, TravelMode(rawValue: type) == nil {
            names.append("type `\(type.prefix(40))`")
        }
        if extensions != nil { names.append("extensions") }
        return names
    }
}
