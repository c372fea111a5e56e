/// The numbers of the routing core in one place.
package enum RoutingSettings {
    /// A place farther than this from every edge, in metres, cannot be snapped.
    package static let snapRadius = 500.0
    /// A place farther than this from the way it was snapped to, in metres, is a notice.
    package static let snapNotice = 100.0
    /// Metres a second on a ferry, where nothing else is known.
    package static let ferrySpeed = 4.2
    /// Seconds in a lift, with waiting for it.
    package static let liftSeconds = 60.0
    /// Ways that only those may use who have business there count as so many times as long.
    package static let restrictedFactor = 2.0
    /// How far the nearest edge is looked for when nothing lies within `snapRadius`, so that the error can tell.
    package static let snapReportRadius = 20_000_000.0
    /// Climbing counts from this many metres on, so that the noise of elevation samples does not.
    package static let climbHysteresis = 3.0
    /// The value of an elevation sample that was not measured.
    package static let elevationVoid: Int16 = -32768
    /// The numbers of samples along the side of an elevation tile.
    package static let tileSides = [1201, 3601]
    /// Parts of the network around a place that are looked at when it is snapped.
    package static let snapParts = 24
    /// Settled nodes between two looks at cancellation.
    package static let cancellationStep = 4096
    /// Rows written between two looks at cancellation and two reports of progress.
    package static let rowStep = 8192
    /// Bytes of a map file beyond which an import does one thing after the other: some 800,000 edges.
    static let largeFile = 64 << 20
    /// Steps of quick work on arrays, and bytes of elevation that are unpacked, between two looks at cancellation: each takes
    /// a few milliseconds.
    static let arrayStep = 1 << 18
    static let elevationStep = 1 << 20
    /// Pieces of an arc of the hierarchy that are written out one after another, at most.
    package static let piecesWrittenOut = 16
    /// Profiles whose costs are kept in files beside a region, at most.
    package static let storedProfiles = 8
    /// The largest file in an archive that is read, in bytes: a tile of 3601² samples.
    package static let largestTile = 3601 * 3601 * 2
    /// Samples of the largest raster of heights that is read: 256 MB of memory.
    package static let largestRaster: UInt64 = 1 << 26
    /// Metres from sea level beyond which a sample is no height of the Earth, but a mark of some kind.
    package static let greatestHeight: Float = 12_000
}

/// The limits for alternatives: cost and overlap.
package enum AlternativeSettings {
    /// The cost of an edge of a route found before is multiplied by this for the next search.
    package static let penalty = 1.5
    /// An alternative may cost at most this many times as much as the best route.
    package static let stretch = 1.4
    /// An alternative shares at most this part of its length with any route before it.
    package static let sharing = 0.7
    /// Searches for each alternative that is asked for.
    package static let attempts = 6
}

/// The hidden Markov model of map matching, after Newson and Krumm 2009.
package enum MatchSettings {
    /// Standard deviation of positions in metres.
    package static let sigma = 10.0
    /// Scale of the difference between the way on the network and the straight line, in metres.
    package static let beta = 15.0
    /// Edges farther than this from a position are no candidates, metres.
    package static let radius = 60.0
    /// Candidates kept for each position, the nearest first.
    package static let candidates = 8
    /// Positions nearer to the one before, in metres, are passed over.
    package static let spacing = 15.0
    /// A way on the network longer than this many times the straight line is not looked for …
    package static let detour = 4.0
    /// … with this many metres added.
    package static let slack = 300.0
}
