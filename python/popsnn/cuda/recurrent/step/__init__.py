"""A single time step of a recurrent layer, which reads the weights of what fired."""
