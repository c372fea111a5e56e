/// A domain object with a headline in the terminal, such as a route.
///
/// Below the headline the terminal shows the remaining fields, then the names of fields too large to show.
/// Programs and files receive every field.
public protocol OverviewRendering: DomainObject {
    /// Its name and main measures, rounded: `To the hut: 3.69 km, 2 h 7 min, 652 m up, 0 m down, hiking`.
    func headline(in environment: Environment) -> String
    /// The fields shown below the headline, if they are not empty.
    var overviewFields: [String] { get }
}

extension OverviewRendering {
    /// The fields listed by name only: neither shown below the headline nor part of a table.
    public var furtherFields: [String] { fieldNames.filter { !overviewFields.contains($0) } }
}
