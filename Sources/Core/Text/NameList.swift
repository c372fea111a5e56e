extension Collection<String> {
    /// The first texts, and how many more there are: `a, b and 3 more`.
    public func listed(first limit: Int, separator: String = ", ", more conjunction: String = " and ")
        -> String
    {
        let shown = prefix(limit).joined(separator: separator)
        return count > limit ? "\(shown)\(conjunction)\(count - limit) more" : shown
    }
}
