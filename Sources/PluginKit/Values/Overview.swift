/// A domain object that a terminal introduces by a line for people, such as a route.
///
/// Below the line stand the fields that it does not say, then the names of those that would fill the screen. Programs and
/// files receive every field.
public protocol OverviewRendering: DomainObject {
    /// What it is and its main measures, rounded: `To the hut: 3.69 km, 2 h 7 min, 652 m up, 0 m down, hiking`.
    func headline(in environment: Environment) -> String
    /// The fields shown below the headline, where the object has them and they hold anything.
    var overviewFields: [String] { get }
}

extension OverviewRendering {
    /// The fields to be named only: neither shown below the headline nor part of a table.
    public var furtherFields: [String] { fieldNames.filter { !overviewFields.contains($0) } }
}
