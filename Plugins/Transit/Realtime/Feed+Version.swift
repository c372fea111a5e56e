extension Feed {
    /// That messages are about another version of the timetable by `feed_version`; `nil` if they are not, or if either does not
    /// say.
    func otherVersion(than message: RealtimeFeed) -> String? {
        guard let own = metadata[TransitSchema.Key.version], !message.timetables.isEmpty,
            !message.timetables.contains(own)
        else { return nil }
        let theirs = message.timetables.sorted().joined(separator: ", ")
        return "it is about version \(theirs) of the timetable, not \(own): trips of one name may differ"
    }
}
