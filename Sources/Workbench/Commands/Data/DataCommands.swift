import PluginKit

/// Commands that work on any rows, one per file in this folder.
enum DataCommands {
    static let all: [any CommandProvider] =
        [
            AppendCommand(), CountCommand(), DefaultCommand(), DescribeCommand(), EachCommand(),
            EnumerateCommand(), ExtendCommand(),
            FirstCommand(),
            FromCommand(), GetCommand(),
            GroupCommand(), JoinCommand(), LastCommand(), OpenCommand(),
            RangeCommand(), RejectCommand(), RenameCommand(), ReverseCommand(), SaveCommand(),
            SelectCommand(), SkipCommand(),
            SortCommand(), SummarizeCommand(), ConcatCommand(),
            ToCommand(), TransposeCommand(), UniqueCommand(), WhereCommand(),
        ] + AggregateCommand.all

    /// Rows for the examples: mountain huts with beds.
    static let huts = """
        let huts = '[{"name":"Illa","beds":50,"valley":"Madriu"},{"name":"Sorteny","beds":46,"valley":"Ordino"},\
        {"name":"Perafita","beds":6,"valley":"Madriu"}]' | from json
        """
}
