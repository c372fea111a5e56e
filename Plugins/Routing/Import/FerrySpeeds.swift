/// The speeds of ferries with a `duration`, which is that of the whole way, or of all ways of a relation.
enum FerrySpeeds {
    /// The tag that the import sets, in metres per second.
    static let key = "ferry:speed"

    /// Notes the speed in the tags of each such way. An impossible one is left out: the usual speed counts then. The duration
    /// of a way itself precedes that of a relation.
    static func take(_ network: inout RegionNetwork, relations: [FerryRelations.Ferry] = []) {
        let isFerry = network.ways.verdicts.map { $0.kind.highway == "ferry" }
        guard isFerry.contains(true) else { return }
        var lengths: [Int32: Double] = [:]
        for edge in network.edges where isFerry[Int(network.ways.ways[Int(edge.way)].verdict)] {
            lengths[edge.way, default: 0] += EdgeMeasures(network.line[edge.line], network.nodes).distance
        }
        let speeds = speeds(of: relations, network, lengths)
        for (way, length) in lengths.sorted(by: { $0.key < $1.key }) {
            var verdict = network.ways.verdicts[Int(network.ways.ways[Int(way)].verdict)]
            let own = verdict.kind.tags?["duration"].flatMap(TagMeasures.seconds)
            let stated = own.flatMap { $0 > 0 ? length / $0 : nil }
            let usable = [stated, speeds[network.ways.ways[Int(way)].id]].compactMap(\.self)
                .first(where: RoutingSettings.ferrySpeeds.contains)
            guard let speed = usable else { continue }
            verdict.kind.tags?[key] = "\((speed * 1000).rounded() / 1000)"
            network.ways.ways[Int(way)].verdict = Int32(network.ways.verdicts.count)
            network.ways.verdicts.append(verdict)
        }
    }

    /// The speed on each way of a relation; one whose ways are not all in the region has none.
    private static func speeds(
        of relations: [FerryRelations.Ferry], _ network: RegionNetwork, _ lengths: [Int32: Double]
    ) -> [Int64: Double] {
        guard !relations.isEmpty else { return [:] }
        var byID: [Int64: Double] = [:]
        for (way, length) in lengths.sorted(by: { $0.key < $1.key }) {
            byID[network.ways.ways[Int(way)].id, default: 0] += length
        }
        var speeds: [Int64: Double] = [:]
        for ferry in relations {
            let known = ferry.ways.compactMap { byID[$0] }
            guard !known.isEmpty, known.count == ferry.ways.count else { continue }
            for way in ferry.ways where speeds[way] == nil {
                speeds[way] = known.reduce(0, +) / ferry.seconds
            }
        }
        return speeds
    }
}
