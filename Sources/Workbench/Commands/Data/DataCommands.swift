import PluginKit

/// Commands that work on any rows, one per file in this folder.
enum DataCommands {
    /// Rows in, rows or a value out.
    static let rows: [any CommandProvider] =
        [
            AppendCommand(), CountCommand(), DefaultCommand(), DescribeCommand(), EachCommand(),
            EnumerateCommand(), ExtendCommand(), FirstCommand(), GetCommand(), GroupCommand(), JoinCommand(),
            LastCommand(), RangeCommand(), RejectCommand(), RenameCommand(), ReverseCommand(),
            SelectCommand(),
            SkipCommand(), SortCommand(), SummarizeCommand(), ConcatCommand(), TransposeCommand(),
            UniqueCommand(), WhereCommand(),
        ] + AggregateCommand.all

    /// Text and files as rows, and rows as text and files.
    static let files: [any CommandProvider] = [FromCommand(), OpenCommand(), SaveCommand(), ToCommand()]

    /// Rows for the examples: mountain huts with beds.
    static let huts = """
        let huts = '[{"name":"Illa","beds":50,"valley":"Madriu"},{"name":"Sorteny","beds":46,"valley":"Ordino"},\
        {"name":"Perafita","beds":6,"valley":"Madriu"}]' | from json
        """
}
