import PluginKit
import TrailStores

/// Takes imported lines as hikes.
struct HikeImports: HikeTaking {
    func object(of hike: Hike, in store: HikeStore) -> any DomainObject { HikeObject(hike, in: store) }
}

/// Examples of commands on hikes.
enum HikeExample {
    static let save =
        "'<gpx><trk><name>Walk</name><trkseg><trkpt lat=\"46.5\" lon=\"7.9\"><ele>500</ele>"
        + "<time>2026-02-06T08:00:00Z</time></trkpt><trkpt lat=\"46.501\" lon=\"7.9\"><ele>510</ele>"
        + "<time>2026-02-06T08:01:30Z</time></trkpt></trkseg></trk></gpx>' | save walk.gpx"
    static let setup = [save, "import walk.gpx"]

    /// A walk with one distant point, and a lost minute before the last point.
    static let spike = [
        "'<gpx><trk><name>Spike</name><type>hiking</type><trkseg>"
            + [
                ("46.5", "08:00:00"), ("46.5005", "08:00:45"), ("46.9", "08:01:00"), ("46.501", "08:01:30"),
                ("46.502", "08:05:00"),
            ].map {
                "<trkpt lat=\"\($0)\" lon=\"7.9\"><time>2026-02-06T\($1)Z</time></trkpt>"
            }.joined()
            + "</trkseg></trk></gpx>' | save spike.gpx",
        "import spike.gpx",
    ]
}
