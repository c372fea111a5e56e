import PluginKit
import Testing

/// One rule for the names of waypoints, hikes, routes, beacons and tones.
@Suite struct NameMatchTests {
    private static let items = [
        (name: "Hütte", id: "3F2A-1"), (name: "hütte", id: "3F2A-2"), (name: "Spring", id: "ABCD-3"),
    ]

    @Test(arguments: [
        ("Hütte", ["3F2A-1"]), ("hütte", ["3F2A-2"]), ("HUTTE", ["3F2A-1", "3F2A-2"]), ("spring", ["ABCD-3"]),
        ("abcd", ["ABCD-3"]), ("3f2a", ["3F2A-1", "3F2A-2"]), ("3f2a-2", ["3F2A-2"]),
        // Too short for an identifier, and no beginning of a name.
        ("abc", []), ("Spr", []), ("a", []), ("", []),
    ])
    func names(text: String, ids: [String]) {
        #expect(NameMatch.items(Self.items, named: text, name: \.name, id: \.id).map(\.id) == ids)
    }
}
