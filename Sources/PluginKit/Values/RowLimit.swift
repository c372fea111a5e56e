/// How many rows a command keeps in memory at once: what cannot be streamed ends with an error before the memory does.
public struct RowLimit: Sendable {
    /// The limit of a session that sets none. A row of a few fields takes 100 to 300 bytes.
    public static let standard = RowLimit(rows: 2_000_000)

    /// The limit of the current task.
    @TaskLocal public static var current = standard

    /// The most rows.
    public let rows: Int

    /// A limit.
    public init(rows: Int) { self.rows = rows }

    /// Throws `E-LIMIT-ROWS` when that many rows are kept and another one comes.
    public func check(_ kept: Int) throws(RutterError) {
        guard kept >= rows else { return }
        throw CommonErrors.tooManyRows(
            "more than \(rows) rows would be kept in memory",
            fix:
                "keep fewer rows first with `where`, `first` or `summarize`, or raise the limit: set rows.limit \(rows * 2)"
        )
    }
}
