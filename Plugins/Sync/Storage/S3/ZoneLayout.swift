/// Sizes of a zone's parts. Any will do for a zone, also others than those that it was written with.
package struct ZoneLayout: Sendable {
    /// Bytes of a page, unless one entry alone has more.
    package var page = 32 << 10
    /// Bytes of a batch object, and in memory until it is sent.
    package var batch = 8 << 20
    /// Batch objects of which less than half is used that a zone has before their pages move together.
    package var mostBatches = 64
    /// Bytes of pages that one commit moves at most.
    package var mostMoved = 8 << 20
    /// Numbers of batches between two looks for objects that belong to nothing.
    package var sweeps: UInt64 = 64

    package init() {}

    /// Tiny parts, so that a few records meet every border.
    package static var tiny: ZoneLayout {
        var layout = ZoneLayout()
        layout.page = 160
        layout.batch = 700
        layout.mostBatches = 6
        layout.sweeps = 8
        return layout
    }
}
