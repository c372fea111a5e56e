/// Sizes of a zone's parts. They may differ from those that the zone was written with.
package struct ZoneLayout: Sendable {
    /// Bytes of a page, unless a single entry is larger.
    package var page = 32 << 10
    /// Bytes of a batch object, buffered in memory until it is written.
    package var batch = 8 << 20
    /// Number of batch objects less than half used above which their pages are moved together.
    var mostBatches = 64
    /// Maximum bytes of pages that one commit moves.
    var mostMoved = 8 << 20
    /// Numbers of batches between two sweeps for unreferenced objects.
    package var sweeps: UInt64 = 64

    package init() {}

    /// Tiny parts, so that a few records reach every limit.
    package static var tiny: ZoneLayout {
        var layout = ZoneLayout()
        layout.page = 160
        layout.batch = 700
        layout.mostBatches = 6
        layout.sweeps = 8
        return layout
    }
}
