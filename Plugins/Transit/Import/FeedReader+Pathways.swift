import PluginKit

extension FeedReader {
    /// Reads pathways.txt: the ways within stations. A loop from a node to itself is useless and skipped.
    mutating func readPathways() throws {
        guard !isWithoutStops,
            var rows = try open(
                .pathways, required: ["from_stop_id", "to_stop_id", "pathway_mode", "is_bidirectional"])
        else { return }
        let (from, to) = (rows.column("from_stop_id"), rows.column("to_stop_id"))
        let (mode, both) = (rows.column("pathway_mode"), rows.column("is_bidirectional"))
        let (time, length) = (rows.column("traversal_time"), rows.column("length"))
        let stairs = rows.column("stair_count")
        while try rows.next(&problems, progress: progress) {
            let ends = [from, to].map { rows.find($0, in: content.stopIDs) }
            let kind = FieldParser.integer(rows[mode]).flatMap(PathwayMode.init(rawValue:))
            let direction = FieldParser.integer(rows[both])
            var wrong: FeedFault?
            if !(0...1).contains(direction ?? -1) {
                wrong = .invalid("is_bidirectional", rows.text(both), .choice)
            }
            if kind == nil { wrong = .invalid("pathway_mode", rows.text(mode), .choice) }
            if ends[1] == nil { wrong = .unknown("to_stop_id", rows.text(to)) }
            if ends[0] == nil { wrong = .unknown("from_stop_id", rows.text(from)) }
            guard wrong == nil, let start = ends[0], let end = ends[1], let kind else {
                try problems.add(.pathways, line: rows.line, wrong ?? .line)
                continue
            }
            guard start != end else { continue }
            // A way takes time: 0 is written where none was measured.
            var seconds = FieldParser.integer(rows[time]).flatMap { $0 > 0 ? Double($0) : nil }
            if seconds == nil, !rows[time].isEmpty {
                try problems.add(
                    .pathways, line: rows.line, .invalid("traversal_time", rows.text(time), .whole), .repaired
                )
            }
            if seconds == nil {
                seconds = FieldParser.number(rows[length]).flatMap {
                    $0 > 0 ? $0 / JourneySettings.walkingSpeed : nil
                }
            }
            if seconds == nil {
                // The number of stairs is negative if they lead down.
                seconds = FieldParser.number(rows[stairs]).flatMap {
                    $0 == 0 ? nil : abs($0) * JourneySettings.stair
                }
            }
            if seconds == nil, kind == .elevator { seconds = JourneySettings.elevator }
            let known = seconds.flatMap { (0...Double(TransitSettings.latestTime)).contains($0) ? $0 : nil }
            content.pathways.append(
                PathwayRow(
                    from: Int32(start), to: Int32(end), mode: kind,
                    seconds: known.map { Int32($0.rounded(.up)) } ?? -1, isBidirectional: direction == 1))
        }
    }
}
