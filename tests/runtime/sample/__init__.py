"""A registry written by hand in the form that the generator writes, one thing of each kind."""

from telewright.base import requires

requires("0.1", __name__)
