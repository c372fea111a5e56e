/// The limit of rows that a command keeps in memory: exceeding it is an error, so that memory is not exhausted.
public struct RowLimit: Sendable {
    /// The default limit. A row of a few fields takes 100 to 300 bytes.
    public static let standard = RowLimit(rows: 2_000_000)

    /// The limit of the current task.
    @TaskLocal public static var current = standard

    /// The maximum number of rows.
    public let rows: Int

    /// A limit.
    public init(rows: Int) { self.rows = rows }

    /// Throws `E-LIMIT-ROWS` if another row would exceed the limit.
    public func check(_ kept: Int) throws(RutterError) {
        guard kept >= rows else { return }
        throw CommonErrors.tooManyRows(
            "more than \(rows) rows would be kept in memory",
            fix:
                "keep fewer rows first with `where`, `first` or `summarize`, or raise the limit: set rows.limit \(rows * 2)"
        )
    }
}
