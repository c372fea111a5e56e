import PluginKit
import TrailStores

/// `hike link`
struct LinkHike: CommandProvider {
    let library: ActiveStore<HikeStore>

    var name: String { "hike link" }

    var command: Command {
        Command(
            name, "link the waypoints created during a hike",
            details: """
                Links the same waypoints as `import`: created between the start and the end of the hike, at most 1km \
                from the box of its track, and without a hike. `waypoint link` links a single one, and removes a \
                link.
                """,
            HikeOptions.hike,
            output: .value("text"), effect: .changes,
            examples: [
                .init(
                    "no waypoints", "hike link Walk", after: HikeExample.setup,
                    gives: "no unlinked waypoint was created during Walk")
            ], searchTerms: ["waypoint", "attach", "which pins belong to a hike"]
        ) { context, hike in
            let object = hike
            let hike = object.hike
            let points = try object.checkedRecording().points
            guard let box = HikeSurroundings.box(around: points.lazy.map(\.coordinate)) else {
                throw HikeErrors.noPoints("hike \(hike.displayName) has no points", at: .parameter("hike"))
            }
            guard hike.areTimesKnown else {
                throw HikeErrors.noTimes("hike \(hike.displayName) has no times", at: .parameter("hike"))
            }
            var links: [LinkedWaypoints] = []
            do {
                for linking in context.all((any WaypointLinking).self) {
                    links.append(
                        try await linking.link(
                            toHike: hike.id, from: hike.startTime, through: hike.endTime, within: box,
                            context: context))
                }
            } catch {
                // The first error is the one to report.
                for link in links { try? link.unlink() }
                throw error
            }
            let made = links
            let count = made.reduce(0) { $0 + $1.count }
            guard count > 0 else {
                return .text("no unlinked waypoint was created during \(hike.displayName)")
            }
            let words = "\(count, of: "waypoint")"
            context.journal.record("linked \(words) to hike \(hike.displayName)") {
                for link in made { try link.unlink() }
            }
            return .text("linked \(words) to \(hike.displayName)")
        }.deciding(
            "hike link Walk",
            after: HikeExample.setup + [
                "clock 2026-02-06T08:01:00Z", "waypoint add 46.5005,7.9 --label Bench | get label",
                "waypoint add 46.9,7.9 --label Far | get label",
            ])
    }
}
