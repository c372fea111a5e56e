import Formats
import Foundation
import PluginKit
import TrailStores

/// Cost profiles by name or from a file.
enum CostProfiles {
    /// The built-in profiles.
    static let all: [CostProfile] = [.hiking, .walking, .trailRunning, .wheelchair, .cycling, .appHiking]

    static let unusable = ErrorKind(
        "E-ROUTE-PROFILE", "the cost profile cannot be used",
        explanation: """
            A profile is one of those that `profile list` lists, or a JSON file with the same keys. Start with \
            `profile show hiking | to json | save mine.json`, edit it, and plan with --profile mine.json. With the key \
            `base`, the name of a built-in profile, a file needs only what differs from it.
            """)

    /// The profile of a name or of a file.
    static func named(_ text: String, _ context: Context) throws -> CostProfile {
        if let known = all.first(where: { $0.name == text }) { return known }
        guard text.contains(".") || text.contains("/") else {
            throw unusable(
                "unknown profile `\(text)`", at: .parameter("profile"),
                fix: "one of: \(all.map(\.name).joined(separator: ", ")), or a file such as mine.json",
                suggestion: Suggestion.nearest(to: text, in: all.map(\.name)))
        }
        let url = try context.files.input(text)
        do {
            let profile = try JSONTree.read(try Data(contentsOf: url)) { tree in
                try checkKeys(tree)
                return try CostProfile(json: tree)
            }
            try check(profile)
            return profile
        } catch let fault as JSONFault {
            throw unusable("\(text): \(fault)", at: .parameter("profile"))
        }
    }

    /// The keys of a profile's file.
    private static let keys = [
        "base", "name", "mode", "speed", "surfaces", "otherSurface", "missingSurfaces", "sacScales",
        "highways",
        "closedHighways",
        "gain",
        "loss", "descents", "steepestDescent", "sacLimit", "sacWarning", "rules",
    ]

    /// Throws if the file has an unknown key.
    private static func checkKeys(_ tree: JSONTree) throws {
        func check(_ words: [String], of what: String, in known: [String]) throws {
            for word in words where !known.contains(word) {
                throw unusable(
                    "unknown \(what.replacing("*", with: word))", at: .parameter("profile"),
                    fix: "known are " + known.joined(separator: ", "),
                    suggestion: Suggestion.nearest(to: word, in: known))
            }
        }
        try check(tree.keys ?? [], of: "key `*` of a profile", in: keys)
        for descent in tree["descents"]?.items ?? [] {
            try check(descent.keys ?? [], of: "key `*` of `descents`", in: ["below", "factor"])
        }
        // Entries for other values would never apply.
        let highways = WayRules.kept.sorted()
        try check(tree["highways"]?.keys ?? [], of: "highway `*` in `highways`", in: highways)
        try check(
            tree["missingSurfaces"]?.keys ?? [], of: "highway `*` in `missingSurfaces`", in: highways)
        try check(
            (tree["closedHighways"]?.items ?? []).compactMap(\.text), of: "highway `*` in `closedHighways`",
            in: highways)
        try check(
            tree["sacScales"]?.keys ?? [], of: "grade `*` in `sacScales`",
            in: SACScale.allCases.map(\.rawValue))
    }

    /// The rules of a file; throws the first invalid rule.
    static func rules(_ texts: [String]) throws(JSONFault) -> [CostRule] {
        var rules: [CostRule] = []
        for text in texts {
            do {
                rules.append(try CostRule(text))
            } catch let fault as CostRule.Fault {
                let hint = fault.suggestion.map { "; did you mean `\($0)`?" } ?? ""
                throw JSONFault("rule `\(text)`: \(fault.message)\(hint)")
            } catch {
                throw JSONFault("rule `\(text)` cannot be read")
            }
        }
        return rules
    }

    private static func check(_ profile: CostProfile) throws {
        func entries(_ name: String, _ table: [String: Double]) -> [(key: String, value: Double)] {
            table.sorted { $0.key < $1.key }.map { ("\(name).\($0.key)", $0.value) }
        }
        func check(_ entries: [(key: String, value: Double)], in range: ClosedRange<Double>) throws {
            for (key, value) in entries where !range.contains(value) {
                throw unusable(
                    "`\(key)` must be from \(Literal.number(range.lowerBound)) to "
                        + "\(Literal.number(range.upperBound)), not \(Literal.number(value))",
                    at: .parameter("profile"))
            }
        }
        try check([("speed", profile.speed)], in: RoutingSettings.speeds)
        try check(
            [("otherSurface", profile.otherSurface)] + entries("surfaces", profile.surfaces)
                + entries("missingSurfaces", profile.missingSurfaces)
                + entries("sacScales", profile.sacScales) + entries("highways", profile.highways),
            in: RoutingSettings.factors)
        try check(
            [("gain", profile.gain), ("loss", profile.loss), ("steepestDescent", profile.steepestDescent)]
                + profile.descents.map { ("descents.factor", $0.factor) },
            in: RoutingSettings.climbFactors)
        for (descent, next) in zip(profile.descents, profile.descents.dropFirst())
        where !(descent.below < next.below) {
            throw unusable(
                "`descents` must ascend by `below`: \(Literal.number(next.below)) follows \(Literal.number(descent.below))",
                at: .parameter("profile"))
        }
    }
}

extension CostProfile: JSONReadable {
    package init(json tree: JSONTree) throws(JSONFault) {
        if let name = try tree.readIfPresent("base", as: String.self) {
            guard let base = CostProfiles.all.first(where: { $0.name == name }) else {
                let hint = Suggestion.nearest(to: name, in: CostProfiles.all.map(\.name))
                throw JSONFault("unknown base `\(name)`" + (hint.map { "; did you mean `\($0)`?" } ?? ""))
            }
            self = base
            try change(by: tree)
            return
        }
        self.init(
            name: try tree.read("name"), mode: try tree.read("mode"), speed: try tree.read("speed"),
            surfaces: try tree.read("surfaces"), otherSurface: try tree.read("otherSurface"),
            missingSurfaces: try tree.readIfPresent("missingSurfaces") ?? [:],
            sacScales: try tree.read("sacScales"), highways: try tree.read("highways"),
            closedHighways: Set(try tree.read("closedHighways", as: [String].self)),
            gain: try tree.read("gain"), loss: try tree.read("loss"), descents: try tree.read("descents"),
            steepestDescent: try tree.read("steepestDescent"), sacLimit: try tree.readIfPresent("sacLimit"),
            sacWarning: try tree.readIfPresent("sacWarning"),
            rules: try CostProfiles.rules(try tree.readIfPresent("rules", as: [String].self) ?? []))
    }

    /// Takes what a file states; entries of tables and rules are added to those of the base.
    private mutating func change(by tree: JSONTree) throws(JSONFault) {
        name = try tree.readIfPresent("name") ?? name
        mode = try tree.readIfPresent("mode") ?? mode
        speed = try tree.readIfPresent("speed") ?? speed
        otherSurface = try tree.readIfPresent("otherSurface") ?? otherSurface
        gain = try tree.readIfPresent("gain") ?? gain
        loss = try tree.readIfPresent("loss") ?? loss
        descents = try tree.readIfPresent("descents") ?? descents
        steepestDescent = try tree.readIfPresent("steepestDescent") ?? steepestDescent
        sacLimit = try tree.readIfPresent("sacLimit") ?? sacLimit
        sacWarning = try tree.readIfPresent("sacWarning") ?? sacWarning
        surfaces.merge(try tree.readIfPresent("surfaces") ?? [:]) { _, own in own }
        missingSurfaces.merge(try tree.readIfPresent("missingSurfaces") ?? [:]) { _, own in own }
        sacScales.merge(try tree.readIfPresent("sacScales") ?? [:]) { _, own in own }
        highways.merge(try tree.readIfPresent("highways") ?? [:]) { _, own in own }
        closedHighways.formUnion(try tree.readIfPresent("closedHighways", as: [String].self) ?? [])
        rules += try CostProfiles.rules(try tree.readIfPresent("rules", as: [String].self) ?? [])
    }

    /// The profile as a record with the keys of its file.
    var record: Value {
        func numbers(_ numbers: [String: Double]) -> Value {
            .record(Record(numbers.sorted { $0.key < $1.key }.map { ($0.key, .number($0.value)) }))
        }
        let descents = descents.map { descent in
            Value.record(Record([("below", .number(descent.below)), ("factor", .number(descent.factor))]))
        }
        var record = Record([
            ("closedHighways", .list(closedHighways.sorted().map { .text($0) })),
            ("descents", .list(descents)), ("gain", .number(gain)), ("highways", numbers(highways)),
            ("loss", .number(loss)), ("mode", .text(mode.rawValue)), ("name", .text(name)),
            ("otherSurface", .number(otherSurface)),
        ])
        if !missingSurfaces.isEmpty { record["missingSurfaces"] = numbers(missingSurfaces) }
        if !rules.isEmpty { record["rules"] = .list(rules.map { .text($0.text) }) }
        if let sacLimit { record["sacLimit"] = .text(sacLimit.rawValue) }
        if let sacWarning { record["sacWarning"] = .text(sacWarning.rawValue) }
        record["sacScales"] = numbers(sacScales)
        record["speed"] = .number(speed)
        record["steepestDescent"] = .number(steepestDescent)
        record["surfaces"] = numbers(surfaces)
        return .record(record)
    }
}

extension SACScale: JSONReadable {}

extension CostProfile.Descent: JSONReadable {
    package init(json tree: JSONTree) throws(JSONFault) {
        self.init(below: try tree.read("below"), factor: try tree.read("factor"))
    }
}
