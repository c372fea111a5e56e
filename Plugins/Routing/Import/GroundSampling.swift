import Geodesy

/// Adds points to ways where the ground between two points of a way is not between their heights.
struct GroundSampling {
    enum Settings {
        /// Metres that the ground may differ from the line between two points; less is noise of the model.
        static let tolerance = 2.0
        /// The least metres between two samples.
        static let leastSpacing = 20.0
        /// The most samples between two points: a way over them is split anyway by any real map.
        static let mostSamples = 4096
        /// Metres in a degree of latitude.
        static let degree = 111_195.0
    }

    private let model: ElevationModel
    /// Metres between two samples of the model.
    private let spacing: Double

    init(_ model: ElevationModel) {
        self.model = model
        spacing = max(Settings.leastSpacing, Settings.degree / Double(max(1, model.samplesPerDegree ?? 1)))
    }

    /// Samples the ground along all ways on it; `check` throws to cancel.
    func sample(_ network: inout RegionNetwork, _ check: () throws -> Void) rethrows {
        let isOffGround = network.ways.verdicts.map { $0.kind.flags.contains(.offGround) }
        var line: [Int32] = []
        line.reserveCapacity(network.line.count)
        for index in network.edges.indices {
            if index % RoutingSettings.rowStep == 0 { try check() }
            let edge = network.edges[index]
            let start = line.count
            let isOnGround = !isOffGround[Int(network.ways.ways[Int(edge.way)].verdict)]
            for place in edge.line {
                if isOnGround, place > edge.line.lowerBound {
                    add(between: network.line[place - 1], and: network.line[place], &network, &line)
                }
                line.append(network.line[place])
            }
            network.edges[index] = RegionNetwork.Edge(way: edge.way, line: start..<line.count)
        }
        network.line = line
    }

    /// Adds the points that the ground needs between two nodes.
    private func add(
        between from: Int32, and to: Int32, _ network: inout RegionNetwork, _ line: inout [Int32]
    ) {
        let (start, end) = (network.nodes.coordinate(from), network.nodes.coordinate(to))
        let (first, last) = (network.nodes.elevation[Int(from)], network.nodes.elevation[Int(to)])
        let length = start.distance(to: end)
        guard length > spacing, first.isFinite, last.isFinite else { return }
        let count = min(Settings.mostSamples, Int((length / spacing).rounded(.up)))
        let places = (1..<count).map { start.interpolated(to: end, share: Double($0) / Double(count)) }
        let ground = places.map { model.height(latitude: $0.latitude, longitude: $0.longitude) ?? .nan }
        for index in Self.needed([Double(first)] + ground + [Double(last)]) {
            line.append(Int32(network.nodes.ids.count))
            network.nodes.ids.append(0)
            network.nodes.latitude.append(alike: places[index - 1].latitude)
            network.nodes.longitude.append(alike: places[index - 1].longitude)
            network.nodes.elevation.append(Float(ground[index - 1]))
            network.isJunction.append(false)
        }
    }

    /// The inner heights, by their index in order, from which all others differ by the tolerance at most. An unknown
    /// one is needed too: what it hides stays unknown.
    ///
    /// Method: Douglas and Peucker 1973, on heights at equal distances.
    static func needed(_ heights: [Double]) -> [Int] {
        var needed: [Int] = []
        var waiting = [(0, heights.count - 1)]
        while let (from, to) = waiting.popLast() {
            var worst: (index: Int, off: Double)?
            for index in from + 1..<max(from + 1, to) {
                let share = Double(index - from) / Double(to - from)
                let off = abs(heights[index] - (heights[from] + share * (heights[to] - heights[from])))
                if !off.isFinite {
                    worst = (index, .infinity)
                    break
                }
                if off > max(Settings.tolerance, worst?.off ?? 0) { worst = (index, off) }
            }
            guard let worst else { continue }
            needed.append(worst.index)
            // Beside an unknown height the others say nothing.
            guard heights[worst.index].isFinite, worst.off.isFinite else { continue }
            waiting += [(from, worst.index), (worst.index, to)]
        }
        return needed.sorted()
    }
}
