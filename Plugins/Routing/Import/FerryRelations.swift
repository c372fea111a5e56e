import Foundation

/// The durations of ferries that are stated by their relations.
enum FerryRelations {
    /// A crossing: its seconds, and its ways.
    struct Ferry: Sendable, Hashable {
        var seconds: Double
        var ways: [Int64]
    }

    private static let walked: Set<String> = ["hiking", "foot", "walking"]

    /// Whether none of the kinds of a route is a trail.
    static func isFerry(_ relation: TrailRelations.Relation) -> Bool {
        guard let route = relation["route"] else { return false }
        return !route.lowercased().split(separator: ";").contains {
            walked.contains($0.trimmingCharacters(in: .whitespaces))
        }
    }

    /// The ferries whose duration is understood.
    static func seconds(_ relations: [TrailRelations.Relation]) -> [Ferry] {
        relations.filter(isFerry).compactMap { relation in
            guard let seconds = relation["duration"].flatMap(TagMeasures.seconds), seconds > 0 else {
                return nil
            }
            return Ferry(seconds: seconds, ways: relation.members.filter { $0 >= 0 })
        }
    }
}
