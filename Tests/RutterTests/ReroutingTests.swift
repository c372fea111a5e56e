import PluginTestKit
import Testing

/// Rerouting as a contract between Guidance and Routing, on a sketch whose lengths follow from its columns of 50 m and lines
/// of 100 m.
@Suite(.enabled(if: PluginFolders.have("Guidance", "Routing"), "a plugin is not there"))
struct ReroutingTests {
    /// Blocks of 200 m; steps lead down from B, a hard path from C, a lane named Toll from D.
    private static let town = """
        let p = region sketch town '
        A---B---C---D

        E---F---G---H
        ' --way 'ABCD highway=residential surface=asphalt' --way 'EFGH highway=residential surface=asphalt' \
        --way 'AE highway=residential surface=asphalt' --way 'BF highway=steps' \
        --way 'CG sac_scale=demanding_mountain_hiking' --way 'DH highway=residential surface=asphalt name=Toll'
        """

    /// Steps count nine times their length.
    private static let knees = """
        '{"name": "knees", "mode": "hiking", "speed": 1.33, "surfaces": {"asphalt": 1}, "otherSurface": 1, \
        "sacScales": {}, "highways": {"steps": 9}, "closedHighways": [], "gain": 8, "loss": 30, "descents": [], \
        "steepestDescent": 1}' | save knees.json
        """

    /// What a session prints after a reroute from a letter.
    private static func reroute(
        _ plan: String, from letter: String, town: String = town, then entry: String
    ) throws -> (last: String, errors: String) {
        let folder = try TemporaryFolder()
        let entries = """
            \(town)
            \(knees)
            let r = \(plan)
            guide start $r
            guide fix $p.\(letter) | count
            guide reroute | count
            \(entry)

            """
        let outcome = try RutterProcess.run(
            ["--workspace", folder.url.path + "/ws", "--seed", "1"], input: entries, folder: folder.url)
        #expect(outcome.status == 0, "\(outcome.errors)")
        return (String(outcome.output.split(separator: "\n").last ?? ""), outcome.errors)
    }

    @Test("the places to pass, the profile, the limit and what is avoided are kept", arguments: [
        // Planned A E F G H D; from B by A to E, and on.
        ("route plan $p.A $p.D --via $p.E", "B", "1.2km"),
        ("route plan $p.A $p.D", "E", "800m"),
        // Down the steps is a third of the way round.
        ("route plan $p.A $p.F --profile knees.json", "B", "600m"),
        ("route plan $p.A $p.F", "B", "200m"),
        ("route plan $p.A $p.G --sac-limit T2", "C", "600m"),
        ("route plan $p.A $p.H --avoid Toll", "D", "600m"),
        ("route plan $p.A $p.H", "D", "200m"),
    ])
    func asTheFirst(plan: String, letter: String, length: String) throws {
        let found = try Self.reroute(plan, from: letter, then: "guide status | get remaining")
        #expect(found.last == length)
        #expect(found.errors.isEmpty)
    }

    /// From F the new way by X is 565 m long; back by B and along the plan it is 600 m, 1.06 times that. With D 400 m
    /// farther they are 903 m and 1,000 m, 1.11 times that.
    @Test("the plan is rejoined where that is hardly longer")
    func rejoining() throws {
        let town = """
            let p = region sketch town '
            A---B-------D
            |   |
            E---F
                  X
            ' --way 'ABD highway=residential surface=asphalt' --way 'BF highway=residential surface=asphalt' \
            --way 'FXD highway=residential surface=asphalt'
            """
        let remaining = "guide status | get remaining"
        let back = try Self.reroute("route plan $p.A $p.D", from: "F", town: town, then: remaining)
        #expect(back.last == "600m")
        let far = town.replacing("A---B-------D", with: "A---B---------------D")
        let anew = try Self.reroute("route plan $p.A $p.D", from: "F", town: far, then: remaining)
        #expect(anew.last == "903m")
    }

    @Test("how a saved route was planned is not known, and that is said")
    func savedRoute() throws {
        let found = try Self.reroute(
            "route plan $p.A $p.H --name Way | route save", from: "D", then: "guide status | get remaining")
        #expect(found.last == "200m")
        #expect(found.errors.contains("how the route was planned is not known"))
    }
}
