"""Small executable models of the objects in Stages 1-3: sets, orders, layers, restrictions."""
