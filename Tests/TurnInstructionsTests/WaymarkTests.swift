import Geodesy
import PluginKit
import Testing

@testable import TurnInstructions

/// Waymarks in the languages, lifts without length, roads with two carriageways; texts by hand.
struct WaymarkTests {
    @Test(
        arguments: [
            ("red:red:white_bar", "en", "red-white-red"), ("red:red:white_bar", "de", "rot-weiß-rot"),
            ("yellow:white:yellow_lower", "fr", "moitié inférieure jaune sur blanc"),
            ("red:yellow::Z:black", "en", "black Z on yellow"),
            ("red:yellow::Z:black", "de", "Z schwarz auf gelb"),
            ("blue:white:blue_diamond:12:black", "en", "blue diamond, black 12 on white"),
            ("blue:white:M:blue", "es", "M azul sobre blanco"),
            ("x:white:red_diamond", "en", "red diamond on white"),
            // A shape without a word in the language keeps its colour.
            ("red:white:red_wolfshook", "de", "rot auf weiß"),
            ("red:white:red_wolfshook", "en", "red wolfshook on white"),
            // Painted on whatever is there.
            ("red::blue_lower", "en", "blue lower half"), ("yellow::yellow_diamond", "de", "Raute gelb"),
            ("x", "en", nil), ("::", "en", nil), ("", "en", nil),
        ] as [(String, String, String?)])
    func waymarks(value: String, code: String, words: String?) throws {
        let language = try #require(TurnLanguage.all.first { $0.code == code })
        #expect(Waymark(osmc: value)?.words(language) == words)
    }

    @Test func eachLanguageHasTheWordsOfTheOthers() {
        let shapes = Set(WaymarkWords.english.shapes.keys)
        for words in TurnLanguage.all.map(\.waymarks) {
            #expect(Set(words.shapes.keys) == shapes)
            #expect(words.knowsTags || Set(words.colors.keys) == Waymark.colors)
        }
    }

    private func words(_ legs: [(String?, Double, Double, WayKind, Int)], _ exits: [[TurnJunction.Exit]])
        -> [String]
    {
        var here = Plane.origin
        let drawn = legs.map { name, bearing, length, kind, rank in
            let points = Plane.line(here, [(bearing, length)])
            here = points[points.count - 1]
            return TurnLeg(points, name: name, kind: kind, roadRank: rank)
        }
        var generator = TurnGenerator(trace: NoTrace())
        let path = TurnPath(legs: drawn, junctions: exits.map { TurnJunction(exits: $0) })
        return generator.turns(along: path).map(\.description)
    }

    @Test func aLiftWithoutLengthIsTold() {
        let legs: [(String?, Double, Double, WayKind, Int)] = [
            ("Low", 0, 100, .path, 0), (nil, 0, 0, .lift, 0), ("High", 90, 100, .path, 0),
        ]
        #expect(
            words(legs, [[], []]) == [
                "Head north on Low", "Take the lift, then turn right onto High", "Arrive",
            ])
        let same: [(String?, Double, Double, WayKind, Int)] = [
            ("Hall", 0, 100, .path, 0), (nil, 0, 0, .lift, 0), ("Hall", 0, 100, .path, 0),
        ]
        #expect(words(same, [[], []]) == ["Head north on Hall", "Take the lift", "Arrive"])
    }

    private func road(_ name: String?, _ bearings: Double...) -> [TurnJunction.Exit] {
        bearings.map { TurnJunction.Exit(bearing: $0, name: name, roadRank: 3) }
    }

    @Test func aRoadWithTwoCarriagewaysIsCrossedOnce() {
        let legs: [(String?, Double, Double, WayKind, Int)] = [
            ("Elm", 0, 100, .road, 1), ("Elm", 0, 14, .road, 1), ("Elm", 0, 100, .road, 1),
        ]
        let both = [road("Ring", 90, 270), road("Ring", 90, 270)]
        #expect(words(legs, both) == ["Head north on Elm", "Cross Ring", "Arrive"])
        // Two roads are two.
        let two = [road("Ring", 90, 270), road("Quay", 90, 270)]
        #expect(words(legs, two) == ["Head north on Elm", "Cross Ring, then cross Quay", "Arrive"])
    }

    @Test func aTurnOntoTheFartherCarriagewayIsOneTurn() {
        let legs: [(String?, Double, Double, WayKind, Int)] = [
            ("Elm", 0, 100, .road, 1), ("Elm", 0, 14, .road, 1), ("Ring", 270, 100, .road, 3),
        ]
        let texts = words(legs, [road("Ring", 90, 270), road("Ring", 90)])
        #expect(texts.first == "Head north on Elm")
        #expect(texts.dropFirst().first?.hasPrefix("Turn left onto Ring") == true)
        #expect(texts.count == 3)
    }
}
