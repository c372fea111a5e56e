import COsmium
import Cartography
import Foundation
import Geodesy
import PluginKit

/// Reads the map features of an OSM file.
extension OSMReader {
    /// The map features; with a box only those that intersect it. Unless `isPrepared` they are encoded while they are written, which
    /// needs less memory, see `MapTableBuilder.prepare`. Elevation files are read where a coast needs them.
    func map(
        bounds: BoundingBox?, elevation: [URL] = [], isPrepared: Bool = true
    ) throws -> MapTableBuilder {
        var builder = MapTableBuilder(bounds: bounds, declared: source.declaredBounds)
        try readMap { builder.add($0, $1) }
        // The map is read last.
        source.keepBlocks(bytes: 0)
        guard !builder.isOverfull else {
            throw RegionErrors.osm("\(url.lastPathComponent) has more map features than a region can hold")
        }
        FreedMemory.giveBack()
        let extent = builder.extent
        try builder.finish(
            heights: { try Self.heights(elevation, in: extent) },
            check: checkStop)
        if isPrepared { try builder.prepare(check: checkStop) }
        return builder
    }

    /// The heights in an area; `nil` without elevation files.
    private static func heights(
        _ urls: [URL], in extent: BoundingBox?
    ) throws -> ((Double, Double) -> Double?)? {
        guard !urls.isEmpty, let extent else { return nil }
        let model = try ElevationFile.model(
            urls, wanted: Set(ElevationTile.Corner.meeting(extent)).contains, progress: ProgressReporter())
        return { model.height(latitude: $0, longitude: $1) }
    }

    /// Passes every node, way and multipolygon that a map may show.
    private func readMap(_ take: (SourceFeature, SourceLines) -> Void) throws {
        try NativeLibrary.osmium.require()
        let keys = MapKinds.read
        let outcome = withoutActuallyEscaping(take) { take in
            let taker = Taker(keys: keys, take: take)
            let outcome = CStrings.withPointers(keys) { pointers in
                var marks = cosm_map_keys(
                    keys: pointers, mark_count: MapKinds.keys.count,
                    class_count: MapKinds.deciding.count, key_count: keys.count)
                return withProgress("reading the map") { function, context in
                    cosm_read_map(
                        source.handle, &marks, function, context,
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

    /// Converts the library's objects to features.
    private final class Taker {
        private let keys: [String]
        private let hand: (SourceFeature, SourceLines) -> Void
        /// The key indexes that are read for all objects.
        private let drawn: [Int]
        /// The cached class of each combination of tags as node, way and relation, open and closed.
        private var verdicts: [MapVerdict?] = []

        init(keys: [String], take: @escaping (SourceFeature, SourceLines) -> Void) {
            self.keys = keys
            hand = take
            drawn = keys.indices.filter { MapKinds.drawn.contains(keys[$0]) }
        }

        func take(_ feature: cosm_map_feature) {
            let (isClosed, isBroken) = (feature.is_closed != 0, feature.is_broken != 0)
            let origin: SourceFeature.Origin =
                feature.type == 0 ? .node : feature.type == 1 ? .way : .relation
            let verdict = verdict(feature, origin, isClosed: isClosed)
            guard verdict.matters(isBroken: isBroken) else { return }
            guard let starts = feature.first_point, let points = feature.points else { return }
            hand(
                SourceFeature(
                    origin: origin, tags: tags(feature, drawn), isClosed: isClosed, isBroken: isBroken,
                    repeatsTags: feature.repeats_tags != 0, known: verdict),
                SourceLines(count: feature.part_count, firstPoint: starts, points: points))
        }

        private func verdict(
            _ feature: cosm_map_feature, _ origin: SourceFeature.Origin, isClosed: Bool
        ) -> MapVerdict {
            let place = (Int(feature.feature_class) * 3 + Int(feature.type)) * 2 + (isClosed ? 1 : 0)
            while verdicts.count <= place { verdicts.append(nil) }
            if let known = verdicts[place] { return known }
            var tags = tags(feature, MapKinds.deciding.indices)
            // The most important of the boundaries along a way is used.
            if feature.admin_level > 0 { tags["admin_level"] = "\(feature.admin_level)" }
            let made = MapVerdict(tags, origin: origin, isClosed: isClosed)
            verdicts[place] = made
            return made
        }

        private func tags(_ feature: cosm_map_feature, _ places: some Sequence<Int>) -> [String: String] {
            var tags: [String: String] = [:]
            for place in places {
                if let value = feature.values[place] { tags[keys[place]] = String(cString: value) }
            }
            return tags
        }
    }
}
