import PluginKit

/// A way that only walkers use and that has one direction: `oneway` binds vehicles, and here there are none, so that it may
/// be meant for walkers.
///
/// Source: OpenStreetMap wiki, "Key:oneway", pedestrians.
enum WalkersOneway {
    /// Ways that bicycles may not use unless a tag says so.
    private static let footways: Set<String> = ["footway", "corridor", "platform"]

    /// The doubt of walkers against the direction of such a way; `nil` for other ways and directions.
    static func doubt(_ kind: EdgeKind, _ mode: TravelMode, isReversed: Bool) -> String? {
        // The direction of the edge is that of its way for vehicles.
        guard mode == .hiking, isReversed, kind.isOneway, kind.value("oneway:foot") == nil,
            let oneway = kind.value("oneway"), oneway != "no"
        else { return nil }
        let isWalkers: Bool
        switch kind.value("bicycle") {
        case nil: isWalkers = footways.contains(kind.highway ?? "")
        case let bicycle?:
            isWalkers =
                kind.highway.map { footways.contains($0) || $0 == "path" } ?? false
                && AccessRules.closes(bicycle)
        }
        return isWalkers ? "against oneway=\(oneway)" : nil
    }
}
