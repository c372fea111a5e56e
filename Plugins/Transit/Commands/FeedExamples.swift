/// Setup lines of examples.
<<<<<<<< HEAD:Plugins/Transit/Commands/FeedExamples.swift
enum FeedExamples {
========
enum FeedExamples {
>>>>>>>> t-core/main:Plugins/Transit/Commands/FeedExamples.swift
    /// The sample feed, imported.
    static let feed = ["feed sample", "feed import harbour"]
    /// The same with a map at a station.
    static let map = feed + ["stop show Harbour"]
}
