import SyncPlugin

await SyncBenchmark.main(Array(CommandLine.arguments.dropFirst()))
