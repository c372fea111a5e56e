/// The speeds of ferries with a `duration`, which is that of the whole way.
enum FerrySpeeds {
    /// Notes the speed in the tags of each such way. An impossible one is left out: the usual speed counts then.
    static func take(_ network: inout RegionNetwork) {
        let durations = network.ways.verdicts.map { verdict in
            verdict.kind.highway == "ferry"
                ? verdict.kind.tags?["duration"].flatMap(TagMeasures.seconds) : nil
        }
        guard durations.contains(where: { $0 != nil }) else { return }
        var lengths: [Int32: Double] = [:]
        for edge in network.edges
        where durations[Int(network.ways.ways[Int(edge.way)].verdict)] != nil {
            lengths[edge.way, default: 0] += EdgeMeasures(network.line[edge.line], network.nodes).distance
        }
        for (way, length) in lengths.sorted(by: { $0.key < $1.key }) {
            var verdict = network.ways.verdicts[Int(network.ways.ways[Int(way)].verdict)]
            guard let seconds = verdict.kind.tags?["duration"].flatMap(TagMeasures.seconds), seconds > 0,
                RoutingSettings.ferrySpeeds.contains(length / seconds)
            else { continue }
            verdict.kind.tags?["ferry:speed"] = "\((length / seconds * 1000).rounded() / 1000)"
            network.ways.ways[Int(way)].verdict = Int32(network.ways.verdicts.count)
            network.ways.verdicts.append(verdict)
        }
    }
}
