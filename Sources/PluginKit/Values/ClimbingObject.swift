/// An object along whose way heights are known.
public protocol ClimbingObject: DomainObject {
    /// What is known of its heights beside the lowest and the highest, such as the climb by its own definition.
    var climbFacts: Record { get throws }
}
