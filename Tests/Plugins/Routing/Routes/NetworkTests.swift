import Foundation
import PluginKit
import PluginTestKit
import Testing

@testable import RoutingPlugin

/// Obstacles, restrictions and other features of the network, in sketches: lengths are known by
/// construction.
@Suite struct NetworkTests {
    private func session(_ lines: String...) async throws -> TestSession {
        let session = try TestSession(plugins: { [RoutingPlugin()] })
        for line in lines { await session.run(line) }
        return session
    }

    @Test func aLockedGateIsWalkedAround() async throws {
        let map =
            "let p = region sketch gate '\nA--B--C\nD-----E' --way 'ABC highway=track' --way AD --way DE --way EC "
        let open = try await session(map + "--node 'B barrier=gate'")
        #expect(await open.run("route plan $p.A $p.C | get distance") == "300m")
        let locked = try await session(map + "--node 'B barrier=gate locked=yes'")
        #expect(await locked.run("route plan $p.A $p.C | get distance") == "500m")
        // The ways on both sides of the gate can still be reached.
        #expect(await locked.run("route plan $p.D 47,9.0015 | get distance") == "214m")
        // The app knows no gates.
        #expect(await locked.run("route plan $p.A $p.C --profile app-hiking | get distance") == "300m")
    }

    @Test(arguments: [("area=yes", "900m"), ("", "1.1km")])
    func aRingOfASketchIsASquareIfItSaysSo(_ tag: String, _ length: String) async throws {
        let map = "W---A-------B\n    |       |\n    |       |\n    D-------C---E"
        let session = try await session(
            "let p = region sketch square '\(map)' --way WA --way CE --way 'ABCDA highway=pedestrian \(tag)'")
        #expect(await session.run("route plan $p.W $p.E | get distance") == length)
    }

    @Test func namesInAListAreSaidApart() async throws {
        let session = try await session(
            "let p = region sketch list 'A--B--C' --way 'AB name=Mill Lane' --way 'BC highway=steps ref=1;2'")
        #expect(await session.run("route plan $p.A $p.C | route turns | get text").contains("onto 1 / 2"))
        #expect(WayNames.spoken("Mill Lane;  Row ") == "Mill Lane / Row")
        #expect(WayNames.spoken(";") == nil && WayNames.spoken(" ; ") == nil)
        #expect(" Mill\u{2028}Lane  2\n".inOneLine == "Mill Lane 2")
        #expect("Großer Weg".inOneLine == "Großer Weg" && " ".inOneLine.isEmpty)
    }

    @Test func aSketchSaysWhichSquareCannotBeCrossed() async throws {
        let map = "A-------B\n|       |\nD-------C"
        let open = try await session(
            "let p = region sketch open '\(map)' --way 'ABCD highway=pedestrian area=yes'")
        #expect(
            await open.run("$p | get notices").contains("way 1, ABCD, has area=yes but does not return to A"))
        let touching = try await session(
            "let p = region sketch touching '\(map)' --way 'ABCADA highway=pedestrian area=yes'")
        #expect(await touching.run("$p | get notices").contains("1 square cannot be crossed"))
    }

    @Test func aGateAtACrossingStopsAllWays() async throws {
        let session = try await session(
            "let p = region sketch four 'A--B--C\n   |\n   D' --column 500m --way AB --way BC --way BD --node 'B barrier=gate access=private'"
        )
        #expect(await session.result("route plan $p.A $p.C").failure?.code == "E-ROUTE-NONE")
        #expect(await session.run("route plan $p.A $p.D --allow private | get distance") == "3.5km")
        let nodes = await session.run("route plan $p.A $p.D --allow private | get nodes")
        #expect(nodes.split(separator: "\n").map { $0.trimmingPrefix(" ") } == ["1", "2", "4"])
    }

    @Test func privateWaysOpenOnRequestWithAWarning() async throws {
        let session = try await session(
            "let p = region sketch estate '\nA-----B\n\n\nC-----D' --way 'AB access=private name=Drive' --way AC --way CD --way DB --height 'A=500 B=500 C=500 D=500'"
        )
        #expect(await session.run("route plan $p.A $p.B | get distance") == "900m")
        #expect(await session.run("route plan $p.A $p.B --allow private | get distance") == "300m")
        #expect(
            await session.run("route plan $p.A $p.B --allow private | get warnings")
                == "300m with restricted access: access=private: Drive")
    }

    @Test func conditionsHoldAtATime() async throws {
        let session = try await session(
            "let p = region sketch winter '\nA-----B\nC-----D' --way 'AB foot:conditional=no @ (Nov-Apr)' --way AC --way CD --way DB --height 'A=500 B=500 C=500 D=500'"
        )
        #expect(await session.run("route plan $p.A $p.B --at 2026-02-06 | get distance") == "500m")
        #expect(await session.run("route plan $p.A $p.B --at 2026-07-06 | get distance") == "300m")
        // Clocks there are ahead of the session's.
        #expect(
            await session.run("route plan $p.A $p.B --at 2026-07-06 | get warnings")
                == "restrictions are those of 2:00 on 2026-07-06, the time at the start (Europe/Zurich)")
        // The way back is at the same time, unless another is given.
        let back = "route plan $p.A $p.B --at 2026-07-06 | route reverse"
        #expect(await session.run("\(back) | get warnings").hasPrefix("restrictions are those of 2:00"))
        #expect(await session.run("\(back) --at 2026-02-06 | get distance") == "500m")
        #expect(
            await session.run("\(back) --at 2026-02-06 | get warnings")
                == "restrictions are those of 1:00 on 2026-02-06, the time at the start (Europe/Zurich)")
    }

    /// A gate that closes before it is reached is said; the clock is that of the start.
    @Test func aGateThatClosesOnTheWay() async throws {
        let late = try await session(
            "let p = region sketch late 'A--B--C' --column 5km --way ABC --node 'B barrier=gate opening_hours=08:00-18:00'"
        )
        let words = await late.run("route plan $p.A $p.C --at 2026-07-14T12:00:00Z | get warnings")
        #expect(words.contains("gate is no longer open when it is reached, about "))
        #expect(words.contains(": opening_hours=08:00-18:00"))
        #expect(
            await late.run("route plan $p.A $p.C --at 2026-07-14T06:00:00Z | get warnings").contains(
                "no longer open")
                == false)
    }

    /// Both ends on a way that is too hard: the message names the grade and the option.
    @Test func aPinOnAWayAboveTheLimit() async throws {
        let hard = try await session(
            "let p = region sketch hard 'A--B--C' --column 500m --way 'ABC sac_scale=alpine_hiking'")
        let words = await hard.run("route plan $p.A $p.C")
        #expect(words.contains("is of grade T4, above the limit") && words.contains("--sac-limit T4"))
        #expect(await hard.run("route plan $p.A $p.C --sac-limit T4 | get distance") == "3km")
        // The tag's own word for the grade.
        #expect(await hard.run("route plan $p.A $p.C --sac-limit alpine_hiking | get distance") == "3km")
    }

    /// Obstacles have no length, but cost time and are reported.
    @Test func obstaclesAreReported() async throws {
        let gate = try await session(
            "let p = region sketch night 'A--B--C' --way ABC --node 'B barrier=lift_gate access:conditional=no @ (20:00-08:00)' --height 'A=500 B=500 C=500'"
        )
        #expect(
            await gate.run("route plan $p.A $p.C | get warnings")
                == "1 lift gate with restricted access: access:conditional=no @ (20:00-08:00)")
        let ford = try await session(
            "let p = region sketch ford 'A--B--C--D' --way ABCD --node 'B ford=yes' --node 'C ford=yes' --height 'A=500 B=500 C=500 D=500'"
        )
        #expect(await ford.run("route plan $p.A $p.D | get warnings") == "2 fords where ford=yes")
        // By hand: 450 m × 1.3, twice 60 s at 1.33 m/s; the rows add up to the cost.
        #expect(await ford.run("route plan $p.A $p.D | get cost") == "744.6")
        #expect(
            await ford.run("route plan $p.A $p.D | route explain | get cost").split(separator: "\n")
                .compactMap { Int($0.trimmingPrefix(" ")) } == [195, 80, 195, 80, 195])
        // A gate that is passed freely is not worth a row.
        let free = try await session(
            "let p = region sketch free 'A--B--C' --way ABC --node 'B barrier=gate'")
        #expect(await free.run("route plan $p.A $p.C | get edges | count") == "2")
    }

    @Test func aGateForVehiclesStopsCyclists() async throws {
        let session = try await session(
            "let p = region sketch bike '\nA--B--C\nD-----E' --way 'ABC highway=track' --way AD --way DE --way EC --node 'B barrier=gate vehicle=no'"
        )
        #expect(await session.run("route plan $p.A $p.C | get distance") == "300m")
        #expect(await session.run("route plan $p.A $p.C --profile cycling | get distance") == "500m")
    }

    @Test func linksFerriesAndLiftsAreWays() async throws {
        let session = try await session(
            "let p = region sketch mixed 'A--B--C--D' --way 'AB highway=primary_link' --way 'BC highway=ferry name=Boat' --way 'CD highway=elevator'"
        )
        #expect(
            await session.run("route plan $p.A $p.D | get edges | get highway").split(separator: "\n")
                .map { $0.trimmingPrefix(" ") } == ["primary_link", "ferry", "elevator"])
        // By hand: 150 m (a road is paved) / 1.33 m/s + 150 m / 4.2 m/s + 60 s = 208.5 s.
        #expect(await session.run("route plan $p.A $p.D | get duration") == "3min28s")
        #expect(
            await session.run("route plan $p.A $p.D | route turns | get text").contains("onto the ferry Boat")
        )
    }

    @Test func snappingPrefersWhatConnects() async throws {
        let session = try await session(
            "let p = region sketch near '\nA---------B\n  E-F' --column 20m --way AB --way 'EF name=Islet'")
        // E lies on the islet, 40 m from the main way.
        #expect(await session.run("route plan $p.E $p.B | get distance") == "160m")
        #expect(
            await session.run("route plan $p.E $p.B | get warnings").contains(
                "the start is 40 m from its way: the nearest way, 0 m away, does not connect"))
        #expect(await session.run("route plan $p.E $p.F | get distance") == "40m")
        let far = try await self.session(
            "let p = region sketch far 'A--B  C--D' --column 400m --way AB --way CD")
        let failure = await far.result("route plan $p.A $p.D").failure
        #expect(failure?.code == "E-ROUTE-NONE")
        #expect(
            failure?.message.contains("the end is on an island of 2 nodes, 2.4 km from the main network")
                == true)
    }

    @Test func hardGradesAreNotWalkedUnasked() async throws {
        let session = try await session(
            "let p = region sketch ridge '\nA-----B\n\n\nC-----D' --way 'AB sac_scale=alpine_hiking' --way AC --way CD --way DB"
        )
        #expect(await session.run("route plan $p.A $p.B | get distance") == "900m")
        #expect(await session.run("route plan $p.A $p.B --sac-limit T4 | get distance") == "300m")
        let only = try await self.session(
            "let p = region sketch peak 'A---B' --way 'AB sac_scale=demanding_alpine_hiking'")
        let failure = await only.result("route plan $p.A $p.B").failure
        #expect(failure?.code == "E-ROUTE-SNAP" || failure?.fix?.contains("--sac-limit T5") == true)
    }

    @Test func unknownHeightsStayUnknown() async throws {
        let flat = try await session("let p = region sketch flat 'A-----B' --way AB")
        #expect(await flat.run("route plan $p.A $p.B | get gain") == "")
        #expect(
            await flat.run("route plan $p.A $p.B | get warnings").contains(
                "heights are unknown: cost and duration exclude climbing"))
        #expect(await flat.run("route plan $p.A $p.B | elevation --stats | get gain") == "")
        #expect(
            await flat.run("route plan $p.A $p.B | route times | where formula == tobler | first | get there")
                == "")
        let part = try await session(
            "let p = region sketch part 'A-----B-----C' --way AB --way BC --height 'A=500 B=520'")
        #expect(await part.run("route plan $p.A $p.C | get gain") == "")
        #expect(
            await part.run("route plan $p.A $p.C | get warnings").contains("heights are unknown along 300m"))
        #expect(await part.run("route plan $p.A $p.B | get gain") == "20m")
        #expect(await part.run("route plan $p.A $p.B | get warnings | count") == "0")
        // What is computed from times states it as well.
        let said = "heights are unknown along 300m"
        #expect(await part.run("route reachable $p.A --within 1h | get warnings").contains(said))
        #expect(
            await part.run("route matrix $p.A $p.B $p.C | where to == 3 | get warnings").contains(said))
        #expect(try await part.output("route matrix $p.A $p.B | to csv").contains("warnings") == false)
    }

    @Test func savedRoutesKeepHeightsOfTheWholeOnly() async throws {
        let session = try await session(
            "let p = region sketch part 'A-----B-----C' --way AB --way BC --height 'A=500 B=520'",
            "route plan $p.A $p.C --name Part | route save", "route plan $p.A $p.B --name Whole | route save")
        for field in ["gain", "loss"] { #expect(await session.run("route show Part | get \(field)") == "") }
        #expect(await session.run("route show Part | elevation --stats | get maximum") == "")
        #expect(await session.run("route show Part | elevation --points | count") == "0")
        let tobler = "where formula == tobler | first | get there"
        #expect(await session.run("route times Part | \(tobler)") == "")
        #expect(await session.run("route show Whole | get gain") == "20m")
        #expect(await session.run("route show Whole | elevation --stats | get maximum") == "520m")
        #expect(await session.run("route times Whole | \(tobler)") != "")
    }

    @Test func aTrackIsMatchedInTheRegionThatHasItsWays() async throws {
        let session = try await session(
            "let q = region sketch small 'A-B  C-D' --way AB --way CD --column 400m",
            "let p = region sketch large 'A-B--C-D\n\n\n\n\nE' --way ABCD --way AE --column 400m",
            "[$q.A $q.B $q.C $q.D] | save through.gpx", "[$q.A $q.B] | save part.gpx")
        #expect(await session.run("route match through.gpx | get region") == "large")
        #expect(await session.run("route match through.gpx | get warnings").contains("not found in small"))
        #expect(await session.run("route match part.gpx | get region") == "small")
        await session.run("[$q.A $q.B destination($q.A, 0deg, 200m)] | save away.gpx")
        #expect(
            await session.run("route match away.gpx --region small | get warnings").contains(
                "1 position is more than 60m from any way"))
        // Of the region named, with its gap.
        #expect(await session.run("route match through.gpx --region small | count") == "2")
    }

    /// Preferences influence the choice of ways, not the duration.
    @Test func theTimeOfAMatchIsThatOfItsRoute() async throws {
        let session = try await session(
            "let p = region sketch road 'A--B--C' --way 'ABC highway=primary' --height 'A=500 B=500 C=500'",
            "[$p.A $p.B $p.C] | save t.gpx")
        #expect(
            await session.run("route match t.gpx | get duration")
                == session.run("route plan $p.A $p.C | get duration"))
    }

    @Test func reachableAreasKnowWhatIsAvoidedAndWhatIsRestricted() async throws {
        let session = try await session(
            "let p = region sketch steps 'A--B--C' --way 'AB access=destination' --way 'BC name=Stairs' --height 'A=500 B=500 C=500'"
        )
        // 300 m on a path take 4 min 53 s, restricted or not.
        #expect(await session.run("route plan $p.A $p.C | get duration") == "4min53s")
        #expect(await session.run("route reachable $p.A --within 5min | get length") == "300m")
        #expect(await session.run("route reachable $p.A --within 5min --avoid Stairs | get length") == "150m")
        #expect(await session.result("route reachable $p.A --avoid Stares").failure?.code == "E-ROUTE-AVOID")
    }

    @Test func whatLiesFarFromItsWayIsSaidByEveryTool() async throws {
        let session = try await session(
            "let p = region sketch far 'A--B--C' --way ABC --height 'A=500 B=500 C=500'",
            "let x = destination($p.A, 0deg, 200m)")
        let said = "is 200 m from the nearest way"
        #expect(
            await session.run("route plan $x $p.C --alternatives 2 | first | get warnings").contains(said))
        for option in ["--straight 1", "--method a-star", "--weight 2"] {
            let failure = await session.result("route plan $p.A $p.C --alternatives 2 \(option)").failure
            #expect(failure?.message.hasPrefix("--alternatives cannot be combined with") == true, "\(option)")
        }
        #expect(await session.run("route reachable $x | get warnings").contains("the start \(said)"))
        #expect(await session.run("route matrix $x $p.C | first | get warnings").contains("place 1 \(said)"))
    }

    @Test func overlappingRegionsAreTriedInTurn() async throws {
        let session = try await session(
            "let q = region sketch small 'A-B  C-D' --way AB --way CD --column 400m",
            "let p = region sketch large 'A-B--C-D\n\n\n\n\nE' --way ABCD --way AE --column 400m")
        #expect(await session.run("route plan $q.A $q.B | get region") == "small")
        #expect(
            await session.run("route plan $q.A $q.B | get warnings").contains(
                "large contains the coordinates too"))
        #expect(await session.run("route plan $q.A $q.D | get region") == "large")
        #expect(await session.run("route plan $q.A $q.D | get warnings").contains("not found in small"))
        let failure = await session.result("route plan $q.A $q.D --region small").failure
        #expect(failure?.message.hasSuffix("(in the region small)") == true)
    }

    @Test func toolsTryOverlappingRegions() async throws {
        let session = try await session(
            "let q = region sketch small 'A-B  C-D' --way AB --way CD --column 400m",
            "let p = region sketch large 'A-B--C-D\n\n\n\n\nE' --way 'ABCD name=Long Way' --way AE --column 400m"
        )
        #expect(await session.run("route matrix $q.A $q.D | first | get distance") == "2.8km")
        #expect(await session.run("route matrix $q.A $q.D | first | get region") == "large")
        #expect(await session.run("route matrix $q.A $q.B | first | get region") == "small")
        #expect(await session.run("route order $q.A $q.D --via $q.B | get distance") == "2.8km")
        #expect(await session.run("route plan $q.A $q.D --alternatives 2 | first | get region") == "large")
        #expect(await session.run("route reachable $q.A --within 2h | get region") == "large")
        #expect(await session.run("route reachable $q.A --within 2h --region small | get length") == "800m")
        // Only the large region has the way to avoid.
        let avoiding = await session.result("route plan $q.A $q.B --avoid 'Long Way'").failure
        #expect(avoiding?.message.hasSuffix("(in the region large)") == true)
        #expect(
            await session.run("route plan $q.A $p.E --avoid 'Long Way' | get distance") == "4km")
    }

    /// Negative and extreme costs, and entries that would never apply, are refused with their name.
    @Test(arguments: [
        ("gain", "-1", "`gain` must be from 0 to 10000, not -1"),
        ("speed", "0", "`speed` must be from 0.01 to 1000, not 0"),
        ("surfaces", #"{"mud": -2}"#, "`surfaces.mud` must be from 0.001 to 10000, not -2"),
        ("otherSurface", "1e300", "`otherSurface` must be"),
        ("descents", #"[{"below": 9, "factor": -1}]"#, "`descents.factor` must be"),
        (
            "descents", #"[{"below": 9, "factor": 1}, {"below": 5, "factor": 1}]"#,
            "`descents` must ascend by `below`: 5 follows 9"
        ),
        ("descents", #"[{"below": 9, "facter": 1}]"#, "unknown key `facter` of `descents`"),
        ("sacScales", #"{"mountain_hikng": 2}"#, "unknown grade `mountain_hikng` in `sacScales`"),
        ("highways", #"{"step": 2}"#, "unknown highway `step` in `highways`"),
        ("closedHighways", #"["step"]"#, "unknown highway `step` in `closedHighways`"),
        ("rules", #"["when highway=path: ×-1"]"#, "rule `when highway=path: ×-1`"),
    ])
    func impossibleProfilesAreRefused(key: String, value: String, message: String) async throws {
        let plain = [
            "name": #""x""#, "mode": #""hiking""#, "speed": "1", "surfaces": "{}", "otherSurface": "1",
            "sacScales": "{}", "highways": "{}", "closedHighways": "[]", "gain": "8", "loss": "8",
            "descents": "[]", "steepestDescent": "1",
        ]
        func profile(_ keys: [String: String]) -> Data {
            Data(
                "{\(keys.sorted { $0.key < $1.key }.map { "\"\($0)\": \($1)" }.joined(separator: ", "))}".utf8
            )
        }
        let session = try TestSession(
            plugins: { [RoutingPlugin()] },
            files: ["good.json": profile(plain), "bad.json": profile(plain.merging([key: value]) { $1 })])
        #expect(await session.result("profile show good.json").failure == nil)
        let failure = await session.result("profile show bad.json").failure
        #expect(failure?.code == "E-ROUTE-PROFILE")
        #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "none")")
    }

    @Test func profilesWithUnknownKeysAreRefused() async throws {
        let session = try TestSession(
            plugins: { [RoutingPlugin()] }, files: ["other.json": Data(#"{"nmae": "x"}"#.utf8)])
        #expect(await session.result("profile show other.json").failure?.suggestion == "name")
    }

    @Test func trailsAreTold() async throws {
        let session = try await session(
            "let p = region sketch marked 'A----B----C----D' --way AB --way 'BC trail=E5 osmc:symbol=red:red:white_bar' --way CD"
        )
        #expect(
            await session.run("route plan $p.A $p.D | route turns | get text").split(separator: "\n").map {
                $0.trimmingPrefix(" ")
            } == [
                "Head east", "Continue straight; follow E5, red-white-red", "Continue straight; leave E5",
                "Arrive",
            ])
    }

    @Test func theFarthestPointReachedMayLieBetweenJunctions() async throws {
        let session = try await session("let p = region sketch long 'A--------------------B' --way AB")
        // 1.33 m/s over ground that counts 1.3: 5 min are 306.9 m, and no junction but the start.
        #expect(await session.run("route reachable $p.A --within 5min | get farthest") == "307m")
    }
}
