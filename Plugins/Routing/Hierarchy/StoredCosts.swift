import Foundation
import PluginKit

/// The derived data of a profile in a file beside the region: edge costs, connected components and the
/// customised hierarchy. The file is used only for the same graph, hierarchy, profile and program version.
final class StoredCosts: Sendable {
    private enum Tag: UInt32 {
        case key = 1, scalars, forward, backward, kindCosts, parts, sizes
        case ranks = 20, upWords, upCodes, downWords, downCodes, wayStarts, pieces
    }

    /// The indexes in the section of single numbers.
    private enum Scalar: Int, CaseIterable {
        case leastPerMetre, mainPart, depths, scale
    }

    let image: MemoryImage
    let forward: Column<Double>
    let backward: Column<Double>
    let kindCosts: Column<Double>
    let leastPerMetre: Double
    let components: NetworkComponents
    let climb: UpwardArcs
    let ways: UnpackedArcs

    /// Reads the costs of a file; `nil` if it belongs to something else or its sections have other lengths.
    init?(_ image: MemoryImage, key: CostsKey, graph: RoutingGraph, hierarchy: Hierarchy) {
        func column<T: BitwiseCopyable>(_ tag: Tag, _ type: T.Type) -> Column<T> {
            image.column(tag.rawValue, as: type)
        }
        let scalars = column(.scalars, Double.self)
        let ranks = column(.ranks, UpwardRank.self)
        let up = PackedArcs(words: column(.upWords, Int64.self), codes: column(.upCodes, Int32.self))
        let down = PackedArcs(words: column(.downWords, Int64.self), codes: column(.downCodes, Int32.self))
        let (starts, pieces) = (column(.wayStarts, Int32.self), column(.pieces, Int32.self))
        let (parts, sizes) = (column(.parts, Int32.self), column(.sizes, Int32.self))
        self.image = image
        (forward, backward) = (column(.forward, Double.self), column(.backward, Double.self))
        kindCosts = column(.kindCosts, Double.self)
        let (nodes, edges) = (graph.nodeCount, graph.edgeCount)
        guard column(.key, UInt8.self).buffer.elementsEqual(key.bytes),
            scalars.count == Scalar.allCases.count,
            forward.count == edges, backward.count == edges, kindCosts.count == 4 * graph.kindCount,
            parts.count == nodes, sizes.count == nodes, ranks.count == nodes + 1,
            up.codes.count == up.words.count, down.codes.count == down.words.count,
            starts.count == 2 * hierarchy.arcCount + 1
        else { return nil }
        func scalar(_ place: Scalar) -> Double { scalars[place.rawValue] }
        let (main, depths) = (scalar(.mainPart), scalar(.depths))
        // The data read so far is not rebuilt.
        guard image.damage == nil, main >= 0, main <= Double(nodes), depths >= 0, depths <= Double(nodes)
        else { return nil }
        let words = CostPacking(scale: scalar(.scale), depths: Int(depths))
        leastPerMetre = scalar(.leastPerMetre)
        components = NetworkComponents(parts: parts, sizes: sizes, main: Int32(main), owner: image)
        climb = UpwardArcs(
            ranks: ranks, depths: Int(depths), forward: up, backward: down, words: words, owner: image)
        ways = UnpackedArcs(first: starts, pieces: pieces, owner: image)
        expect(nodes: nodes, edges: edges, codes: starts.count - 1, pieces: pieces.count)
    }

    /// Every index stays within its section.
    private func expect(nodes: Int, edges: Int, codes: Int, pieces: Int) {
        image.expect(Tag.parts) { $0.lies(below: nodes) }
        image.expect(Tag.sizes) { $0.lies(below: nodes + 1) }
        for tag in [Tag.upCodes, .downCodes] { image.expect(tag) { $0.lies(below: codes) } }
        image.expect(Tag.wayStarts) { $0.rises(to: pieces) }
        image.expect(Tag.pieces) { $0.lies(from: Int32(-2 * edges), below: codes) }
        let (mask, depths) = (climb.words.depthMask, Int64(climb.depths))
        for tag in [Tag.upWords, .downWords] {
            image.expect(tag.rawValue, as: Int64.self) { block, _ in
                block.allSatisfy { $0 >= 0 && $0 & mask < depths }
            }
        }
        let (rising, falling) = (climb.forward.words.count, climb.backward.words.count)
        image.expect(Tag.ranks.rawValue, as: UpwardRank.self) { block, first in
            block.enumerated().allSatisfy { index, rank in
                // The sentinel is above all ranks.
                (Int(rank.parent) > first + index || first + index == nodes) && Int(rank.parent) <= nodes
                    && rank.depth >= -1 && (rank.depth >= 0 || first + index == nodes)
                    && Int(rank.depth) < depths
                    && (0...rising).contains(Int(rank.firstForward))
                    && (0...falling).contains(Int(rank.firstBackward))
            }
        }
    }

    /// The file of a profile's costs.
    static func image(of costs: HierarchyCosts, key: CostsKey) -> MemoryImage {
        var builder = sections(of: costs, key)
        return builder.takeImage(stamp: key.stamp, check: {})
    }

    /// Writes the same to a file, whose stamp is set later; returns whether it was written.
    static func write(
        _ costs: HierarchyCosts, key: CostsKey, to url: URL, check: () throws -> Void
    ) throws -> Bool {
        var builder = sections(of: costs, key)
        return try builder.takeMapped(url, check: check) != nil
    }

    private static func sections(of costs: HierarchyCosts, _ key: CostsKey) -> MemoryImage.Builder {
        let (weighted, climb) = (costs.weighted, costs.climb)
        let components = weighted.components
        var builder = MemoryImage.Builder()
        builder.add(Tag.key.rawValue, key.bytes)
        builder.add(
            Tag.scalars.rawValue,
            [
                weighted.leastPerMetre, Double(components.main), Double(climb.depths), climb.words.scale,
            ])
        builder.add(Tag.forward.rawValue, weighted.forward)
        builder.add(Tag.backward.rawValue, weighted.backward)
        builder.add(Tag.kindCosts.rawValue, weighted.kindCosts)
        builder.add(Tag.parts.rawValue, components.parts)
        builder.add(Tag.sizes.rawValue, components.sizes)
        builder.add(Tag.ranks.rawValue, climb.ranks)
        builder.add(Tag.upWords.rawValue, climb.forward.words)
        builder.add(Tag.upCodes.rawValue, climb.forward.codes)
        builder.add(Tag.downWords.rawValue, climb.backward.words)
        builder.add(Tag.downCodes.rawValue, climb.backward.codes)
        builder.add(Tag.wayStarts.rawValue, costs.ways.first)
        builder.add(Tag.pieces.rawValue, costs.ways.pieces)
        return builder
    }
}

/// The key of a file of costs.
struct CostsKey: Sendable, Equatable {
    /// A text of all the profile's properties.
    let bytes: [UInt8]
    /// A stamp of the graph, the hierarchy and the program.
    let stamp: UInt64

    /// `nil` for a profile with a travel time, which will not be used again.
    init?(_ profile: CostProfile, graph: RoutingGraph, hierarchy: Hierarchy) {
        guard profile.moment == nil, let program = Self.program else { return nil }
        bytes = Array(Self.words(profile).utf8)
        stamp = [graph.image.identity, hierarchy.image.identity, program].withUnsafeBytes { Checksum.of($0) }
    }

    /// The name of the file, which replaces those of other programs and graphs.
    var name: String { String(bytes.withUnsafeBytes { Checksum.of($0) }, radix: 16) }

    /// The size and modification time of the program, as other versions may compute other costs.
    private static let program: UInt64? = {
        var info = stat()
        guard stat("/proc/self/exe", &info) == 0 else { return nil }
        let facts = [Int64(info.st_size), Int64(info.st_mtim.tv_sec), Int64(info.st_mtim.tv_nsec)]
        return facts.withUnsafeBytes { Checksum.of($0) }
    }()

    /// All properties of a profile; unordered ones are sorted. Its test inspects each property by
    /// reflection.
    private static func words(_ profile: CostProfile) -> String {
        func numbers(_ numbers: [String: Double]) -> String {
            numbers.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.bitPattern)" }.joined(
                separator: " ")
        }
        let descents = profile.descents.flatMap { [$0.below, $0.factor] }
        let rest =
            [profile.speed, profile.otherSurface, profile.gain, profile.loss, profile.steepestDescent]
            + descents
        return [
            profile.name, profile.mode.rawValue, numbers(profile.surfaces),
            numbers(profile.missingSurfaces), numbers(profile.sacScales),
            numbers(profile.highways), profile.closedHighways.sorted().joined(separator: " "),
            rest.map { "\($0.bitPattern)" }.joined(separator: " "), profile.sacLimit?.rawValue ?? "",
            profile.sacWarning?.rawValue ?? "", profile.rules.map(\.text).joined(separator: "\n"),
            profile.rules.map { "\($0.factor.bitPattern) \($0.seconds.bitPattern)" }.joined(separator: " "),
            profile.allowed.sorted().joined(separator: " "),
            profile.isBareDistance ? "bare" : profile.isTimed ? "timed" : "",
        ].joined(separator: "\0")
    }
}
