"""The statements of the depth reduction, executed on families of concrete models."""
