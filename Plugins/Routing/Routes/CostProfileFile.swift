import Foundation
import PluginKit

/// Cost profiles by name, or from a file: data, no code.
enum CostProfiles {
    /// The profiles that are always there.
    static let all: [CostProfile] = [.hiking, .cycling]

    static let unusable = ErrorKind(
        "E-ROUTE-PROFILE", "the cost profile cannot be used",
        explanation: """
            A profile is one of those that `route profiles` lists, or a JSON file with the same keys. Begin with \
            `route profile hiking | to json | save mine.json`, change it, and plan with --profile mine.json.
            """)

    /// The profile of a name or of a file.
    static func named(_ text: String, _ context: Context) throws -> CostProfile {
        if let known = all.first(where: { $0.name == text }) { return known }
        guard text.contains(".") || text.contains("/") else {
            throw unusable(
                "there is no profile \(text)", at: .parameter("profile"),
                fix: "a name, or a file such as mine.json",
                suggestion: Suggestion.nearest(to: text, in: all.map(\.name)))
        }
        let url = try context.files.input(text)
        do {
            let profile = try JSONDecoder().decode(CostProfile.self, from: try Data(contentsOf: url))
            try check(profile)
            return profile
        } catch let error as DecodingError {
            throw unusable("\(text): \(words(error))", at: .parameter("profile"))
        }
    }

    /// The profile as a record with the keys of its file.
    static func record(_ profile: CostProfile) throws -> Value {
        let data = try JSONEncoder().encode(profile)
        return value(try JSONSerialization.jsonObject(with: data))
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

    private static func words(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "the key `\(key.stringValue)` is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "`\(context.codingPath.map(\.stringValue).joined(separator: "."))` is of the wrong kind"
        case .dataCorrupted(let context): context.debugDescription
        @unknown default: "it is no profile"
        }
    }

    private static func value(_ json: Any) -> Value {
        switch json {
        case let text as String: .text(text)
        case let number as NSNumber: .number(number.doubleValue)
        case let items as [Any]: .list(items.map(value))
        case let fields as [String: Any]:
            .record(Record(fields.keys.sorted().map { ($0, value(fields[$0] ?? NSNull())) }))
        default: .nothing
        }
    }
}
