import COsmium
import Cartography
import Foundation
import PluginKit

/// Reads what a map shows out of an OSM file.
extension OSMReader {
    /// Hands over every node, way and multipolygon that a map may show.
    func readMap(_ take: (SourceFeature) -> Void) throws {
        try NativeLibrary.osmium.require()
        let keys = MapKinds.keys + MapKinds.details
        let outcome = withoutActuallyEscaping(take) { take in
            let taker = Taker(keys: keys, take: take)
            let outcome = CStrings.withPointers(keys) { pointers in
                var marks = cosm_map_keys(
                    keys: pointers, mark_count: MapKinds.keys.count, key_count: keys.count)
                return withProgress("reading the map") { function, context in
                    cosm_read_map(
                        url.path, &marks, function, context,
                        { context, feature in
                            guard let context, let feature else { return 0 }
                            Unmanaged<Taker>.fromOpaque(context).takeUnretainedValue().take(feature.pointee)
                            return 0
                        }, Unmanaged.passUnretained(taker).toOpaque())
                }
            }
            return outcome
        }
        try check(outcome)
    }

    /// Turns what the library hands over into features.
    private final class Taker {
        private let keys: [String]
        private let hand: (SourceFeature) -> Void

        init(keys: [String], take: @escaping (SourceFeature) -> Void) {
            self.keys = keys
            hand = take
        }

        func take(_ feature: cosm_map_feature) {
            var tags: [String: String] = [:]
            for (index, key) in keys.enumerated() {
                if let value = feature.values[index] { tags[key] = String(cString: value) }
            }
            // The most important of the boundaries along a way counts.
            if feature.admin_level > 0 { tags["admin_level"] = "\(feature.admin_level)" }
            let parts = (0..<feature.part_count).map { part in
                let (start, end) = (feature.first_point[part], feature.first_point[part + 1])
                return Array(UnsafeBufferPointer(start: feature.points + 2 * start, count: 2 * (end - start)))
            }
            hand(
                SourceFeature(
                    origin: feature.type == 0 ? .node : feature.type == 1 ? .way : .relation, tags: tags,
                    isClosed: feature.is_closed != 0, isBroken: feature.is_broken != 0, parts: parts))
        }
    }
}
