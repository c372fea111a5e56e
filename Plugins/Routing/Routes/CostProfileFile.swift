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
            A profile is one of those that `route profiles` lists, or a JSON file with the same keys. Start with \
            `route profile hiking | to json | save mine.json`, edit it, and plan with --profile mine.json.
            """)

    /// The profile of a name or of a file.
    static func named(_ text: String, _ context: Context) throws -> CostProfile {
        if let known = all.first(where: { $0.name == text }) { return known }
        guard text.contains(".") || text.contains("/") else {
            throw unusable(
                "unknown profile `\(text)`", at: .parameter("profile"),
                fix: "a name, or a file such as mine.json",
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
        "name", "mode", "speed", "surfaces", "otherSurface", "sacScales", "highways", "closedHighways",
        "gain",
        "loss", "descents", "steepestDescent", "sacLimit", "sacWarning", "rules",
    ]

    /// Throws if the file has an unknown key.
    private static func checkKeys(_ tree: JSONTree) throws {
        for key in tree.keys ?? [] where !keys.contains(key) {
            throw unusable(
                "unknown key `\(key)` of a profile", at: .parameter("profile"),
                fix: "the keys are " + keys.joined(separator: ", "),
                suggestion: Suggestion.nearest(to: key, in: keys))
        }
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
        let factors =
            [profile.otherSurface] + profile.surfaces.values + profile.sacScales.values
            + profile.highways.values
        let rest = [profile.gain, profile.loss, profile.steepestDescent] + profile.descents.map(\.factor)
        guard factors.allSatisfy({ $0.isFinite && $0 > 0 }), rest.allSatisfy({ $0.isFinite && $0 >= 0 }),
            profile.speed.isFinite, profile.speed > 0
        else {
            throw unusable(
                "factors and the speed must be greater than 0, costs of climbing at least 0",
                at: .parameter("profile"))
        }
    }
}

extension CostProfile: JSONReadable {
    package init(json tree: JSONTree) throws(JSONFault) {
        self.init(
            name: try tree.read("name"), mode: try tree.read("mode"), speed: try tree.read("speed"),
            surfaces: try tree.read("surfaces"), otherSurface: try tree.read("otherSurface"),
            sacScales: try tree.read("sacScales"), highways: try tree.read("highways"),
            closedHighways: Set(try tree.read("closedHighways", as: [String].self)),
            gain: try tree.read("gain"), loss: try tree.read("loss"), descents: try tree.read("descents"),
            steepestDescent: try tree.read("steepestDescent"), sacLimit: try tree.readIfPresent("sacLimit"),
            sacWarning: try tree.readIfPresent("sacWarning"),
            rules: try CostProfiles.rules(try tree.readIfPresent("rules", as: [String].self) ?? []))
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
